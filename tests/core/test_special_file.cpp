#include <armilla/core/absolute_path.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/core/special_file.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace armilla::core {
namespace {

namespace fs = std::filesystem;
using test::ScratchFolder;

std::string refusal(const fs::path& path) {
  ::alarm(60);  // opening a FIFO would block
  std::string text;
  try {
    check_readable(path.string());
  } catch (const InputError& error) {
    text = error.what();
  }
  ::alarm(0);
  return text;
}

// claims: guarantee special_files
TEST(SpecialFile, OnlyRegularFilesAreReadable) {
  const ScratchFolder folder;
  const fs::path fifo = folder.path() / "fifo", file = folder.path() / "file";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::ofstream(file) << "text";
  fs::create_symlink(fifo, folder.path() / "to_fifo");
  fs::create_symlink(file, folder.path() / "to_file");
  fs::create_symlink("/dev/zero", folder.path() / "to_device");
  EXPECT_EQ(refusal(file), "");
  EXPECT_EQ(refusal(folder.path() / "to_file"), "");
  for (const auto& [name, kind] : {std::pair("fifo", "a FIFO"), {"to_fifo", "a FIFO"}, {"to_device", "a device"}})
    EXPECT_NE(refusal(folder.path() / name).find(kind), std::string::npos) << name;
  EXPECT_NE(refusal(folder.path()).find("a folder"), std::string::npos);
  EXPECT_NE(refusal(folder.path() / "none").find("No such file"), std::string::npos);
}

TEST(AbsolutePath, IsNormalAndStartsFromTheWorkingFolder) {
  EXPECT_EQ(absolute_path("/a/./b/../c"), "/a/c");
  EXPECT_EQ(absolute_path("x/../y"), (fs::current_path() / "y").string());
}

// In a child process, which has a working folder of its own.
TEST(AbsolutePath, NeedsNoWorkingFolder) {
  const ScratchFolder folder;
  const fs::path gone = folder.path() / "gone";
  fs::create_directory(gone);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    bool good = ::chdir(gone.c_str()) == 0 && fs::remove(gone);
    try {
      good = good && absolute_path("/a/../b") == "/b" && absolute_path("./c") == "c";
    } catch (...) {
      good = false;
    }
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace armilla::core
