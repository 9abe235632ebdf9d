#include <armilla/core/error.hpp>
#include <armilla/core/read_file.hpp>

#include <cerrno>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>

namespace armilla::core {
namespace {

using test::ScratchFolder;

std::string resource_error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const ResourceError& error) {
    return error.what();
  }
  return "no ResourceError";
}

TEST(ReadFile, ReturnsTheWholeContent) {
  const ScratchFolder folder;
  const std::string text = std::string(100000, 'x') + '\0' + "\nend";
  std::ofstream(folder.path() / "a", std::ios::binary) << text;
  const FileText file = read_file(folder.path() / "a");
  EXPECT_EQ(file.error, 0);
  EXPECT_EQ(file.text, text);
}

TEST(ReadFile, TellsMissingFilesFromUnreadableOnes) {
  const ScratchFolder folder;
  EXPECT_TRUE(read_file(folder.path() / "a").is_missing());
  EXPECT_EQ(read_file_if_there(folder.path() / "a", "'a'"), "");
  // A folder can be opened, but not read.
  const FileText unreadable = read_file(folder.path());
  EXPECT_EQ(unreadable.error, EISDIR);
  EXPECT_FALSE(unreadable.is_missing());
  EXPECT_EQ(resource_error_of([&] { read_file_if_there(folder.path(), "journal 'a'"); }),
            "journal 'a' cannot be read (Is a directory): check the disk");
}

TEST(FilesIn, AreSortedAndHaveTheEnding) {
  const ScratchFolder folder;
  for (const char* name : {"b.jsonl", "c.lock", "a.jsonl"}) std::ofstream(folder.path() / name) << "x";
  const FolderFiles files = files_in(folder.path(), ".jsonl");
  EXPECT_EQ(files.error, 0);
  EXPECT_EQ(files.paths, (std::vector<std::string>{folder.path() / "a.jsonl", folder.path() / "b.jsonl"}));
}

TEST(FilesIn, AMissingFolderHasNoneAndAnUnreadableOneIsAnError) {
  const ScratchFolder folder;
  EXPECT_TRUE(readable_files_in(folder.path() / "none", "").empty());
  std::ofstream(folder.path() / "file") << "x";
  const std::string path = folder.path() / "file";
  EXPECT_EQ(files_in(path, "").error, ENOTDIR);
  EXPECT_NE(resource_error_of([&] { readable_files_in(path, ""); }).find("folder '" + path + "' cannot be read"),
            std::string::npos);
}

}  // namespace
}  // namespace armilla::core
