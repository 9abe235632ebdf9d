#include <armilla/job/journal/verify.hpp>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "error_message.hpp"
#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::job {
namespace {

using test::contains;
using test::input_error;

class Verify : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  /// The message for a report whose only checksum has this number of bytes.
  std::string of_bytes(const std::string& bytes) const {
    std::ofstream(path("report.json"))
        << R"( {"program": "armilla", "files": [], "checksums": [{"file": "a", "bytes": )" << bytes
        << R"(, "checksum": "0"}]})";
    return input_error([&] { recorded_files(path("report.json"), {}, ""); });
  }

  test::ScratchFolder folder_;
};

// claims: guarantee special_files
TEST_F(Verify, ReadsRegularFilesOnly) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", path("zero"));
  ::alarm(60);
  EXPECT_TRUE(contains(input_error([&] { recorded_files(path("fifo"), {}, ""); }), "it is a FIFO"));
  EXPECT_TRUE(contains(input_error([&] { recorded_files(path("zero"), {}, ""); }), "it is a device"));
  ::alarm(0);
}

TEST_F(Verify, DamagedReportsAreBadInput) {
  for (const char* bytes : {"1e300", "-1e300", "18446744073709551615", "1.5", "\"many\"", "null"})
    EXPECT_TRUE(contains(of_bytes(bytes), "report.json' is damaged")) << bytes;
  std::ofstream(path("report.json")) << R"({"program": "armilla", "files": [], "checksums": [{"file": 7}]})";
  EXPECT_TRUE(contains(input_error([&] { recorded_files(path("report.json"), {}, ""); }), "is damaged"));
  std::ofstream(path("report.json"))
      << R"({"program": "armilla", "files": [], "checksums": [{"file": "a", "bytes": 5}]})";
  const auto files = recorded_files(path("report.json"), {}, "");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].size, 5);
}

}  // namespace
}  // namespace armilla::job
