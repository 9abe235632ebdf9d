#include <armilla/core/build_info.hpp>
#include <armilla/core/program_identity.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace armilla::core {
namespace {

std::string notes_of(const std::string& program) {
  std::FILE* stream = popen(("readelf -n '" + program + "'").c_str(), "r");
  std::string notes;
  std::array<char, 256> line{};
  while (std::fgets(line.data(), line.size(), stream) != nullptr) notes += line.data();
  EXPECT_EQ(pclose(stream), 0);
  return notes;
}

TEST(ProgramIdentity, IsTheBuildIdThatOthersRead) {
  const std::string notes = notes_of(std::filesystem::read_symlink("/proc/self/exe").string());
  const std::string label = "Build ID: ";
  const std::size_t place = notes.find(label);
  if (place == std::string::npos) {
    EXPECT_TRUE(program_identity().starts_with(kVersion)) << program_identity();  // linked without one
  } else {
    const std::size_t begin = place + label.size();
    EXPECT_EQ(program_identity(), notes.substr(begin, notes.find('\n', begin) - begin));
  }
}

}  // namespace
}  // namespace armilla::core
