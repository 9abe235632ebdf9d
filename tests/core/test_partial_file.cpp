#include <armilla/core/error.hpp>
#include <armilla/core/partial_file.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::core {
namespace {

namespace fs = std::filesystem;
using test::content;
using test::ScratchFolder;

std::ptrdiff_t entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

void write(const OutputPath& output, const std::string& text) {
  PartialFile file(output);
  std::ofstream(file.path()) << text;
  file.publish();
}

std::string refusal(const std::string& path) {
  try {
    const PartialFile file(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(PartialFile, AppearsWhenPublishedAndVanishesOtherwise) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "a.h5";
  write(path, "old");
  {
    PartialFile file(path);
    std::ofstream(file.path()) << "new";
    EXPECT_EQ(content(path), "old");
    EXPECT_EQ(entries(folder.path()), 2);
  }
  EXPECT_EQ(content(path), "old");
  write(path, "new");
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(entries(folder.path()), 1);
}

// claims: guarantee two_writers
TEST(PartialFile, TwoWritersOfOneNameNeverShareAFile) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "a.h5";
  PartialFile first(path);
  PartialFile second(path);
  ASSERT_NE(first.path(), second.path());
  std::ofstream(first.path()) << "unfinis";
  std::ofstream(second.path()) << "second";
  second.publish();
  EXPECT_EQ(content(path), "second");
  std::ofstream(first.path(), std::ios::app) << "hed no more";
  first.publish();
  EXPECT_EQ(content(path), "unfinished no more");
}

TEST(PartialFile, SymbolicLinksAreFollowedAndStay) {
  const ScratchFolder folder;
  fs::create_directory(folder.path() / "data");
  fs::create_symlink("second", folder.path() / "first");
  fs::create_symlink("data/target.h5", folder.path() / "second");
  for (const std::string text : {"created", "replaced"}) {  // dangling first
    write((folder.path() / "first").string(), text);
    EXPECT_EQ(content(folder.path() / "data" / "target.h5"), text);
    EXPECT_FALSE(fs::is_symlink(folder.path() / "data" / "target.h5"));
  }
  EXPECT_TRUE(fs::is_symlink(folder.path() / "first"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "second"));
  {
    const PartialFile file((folder.path() / "first").string());
    EXPECT_EQ(fs::path(file.path()).parent_path(), folder.path() / "data");
  }
  fs::create_symlink("absent/x.h5", folder.path() / "astray");
  EXPECT_TRUE(contains(refusal(folder.path() / "astray"), "absent' does not exist"));
  fs::create_symlink("loop", folder.path() / "loop");
  EXPECT_TRUE(contains(refusal(folder.path() / "loop"), "form a loop"));
}

// claims: guarantee special_files
TEST(PartialFile, SpecialFilesAndFoldersAreRefused) {
  const ScratchFolder folder;
  const std::string fifo = folder.path() / "fifo.fits";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0666), 0);
  fs::create_symlink("/dev/null", folder.path() / "null.h5");
  fs::create_directory(folder.path() / "folder.h5");
  std::ofstream(folder.path() / "plain") << "x";
  EXPECT_TRUE(contains(refusal("/dev/null"), "'/dev/null' cannot be written: it is a device"));
  EXPECT_TRUE(contains(refusal(folder.path() / "null.h5"), "it is a device"));
  EXPECT_TRUE(contains(refusal(fifo), "it is a FIFO"));
  EXPECT_TRUE(contains(refusal(folder.path() / "folder.h5"), "it is a folder"));
  EXPECT_TRUE(contains(refusal(folder.path().string() + "/"), "it is a folder"));
  EXPECT_TRUE(contains(refusal(folder.path() / "plain" / "a.h5"), "is not a folder"));
  EXPECT_TRUE(contains(refusal(folder.path() / "absent" / "a.h5"), "absent' does not exist: create it"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(entries(folder.path()), 4);
}

TEST(PartialFile, LongNamesWorkUpToTheLimitOfTheFileSystem) {
  const ScratchFolder folder;
  const auto longest = static_cast<std::size_t>(::pathconf(folder.path().c_str(), _PC_NAME_MAX));
  const std::string name = std::string(longest - 3, 'n') + ".h5";
  write((folder.path() / name).string(), "x");
  EXPECT_EQ(content(folder.path() / name), "x");
  const std::string message = refusal(folder.path() / ("n" + name));
  EXPECT_TRUE(contains(message, "but the file system allows " + std::to_string(longest))) << message;
}

TEST(PartialFile, LongPathsWorkOrAreRefused) {
  const ScratchFolder folder;
  fs::path deep = folder.path();
  while (deep.string().size() < 3500) deep /= std::string(200, 'd');
  fs::create_directories(deep);
  write((deep / "a.h5").string(), "x");
  EXPECT_EQ(content(deep / "a.h5"), "x");
  while (deep.string().size() < 4050) deep /= "dddd";
  EXPECT_TRUE(contains(refusal(deep / "a.h5"), "the path of its folder has"));
  EXPECT_TRUE(contains(refusal("/" + std::string(5000, 'x') + "/a.h5"), "the path of its folder has 5001 bytes"));
}

TEST(PartialFile, OnlyThoseOfTheJobAreRemoved) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "a.h5";
  const PartialFile own({path, "0123456789abcdef"});
  const PartialFile other({path, "fedcba9876543210"});
  const PartialFile nobodys(path);
  std::ofstream(folder.path() / ".armilla-0123456789abcdef.lock") << "x";
  EXPECT_EQ(remove_partial_files(folder.path(), "0123456789abcdef"), 1);
  EXPECT_FALSE(fs::exists(own.path()));
  EXPECT_TRUE(fs::exists(other.path()));
  EXPECT_TRUE(fs::exists(nobodys.path()));
  EXPECT_EQ(entries(folder.path()), 3);
  EXPECT_EQ(remove_partial_files(folder.path() / "absent", "0123456789abcdef"), 0);
}

// claims: guarantee clean_up
TEST(PartialFile, OnlyThoseOfThatAgeAreRemoved) {
  const ScratchFolder folder;
  const PartialFile fresh({(folder.path() / "a.h5").string(), "0123456789abcdef"});
  const PartialFile old({(folder.path() / "b.h5").string(), "0123456789abcdef"});
  fs::last_write_time(old.path(), fs::file_time_type::clock::now() - std::chrono::minutes(61));
  EXPECT_EQ(remove_partial_files(folder.path(), "0123456789abcdef", 3600), 1);
  EXPECT_TRUE(fs::exists(fresh.path()));
  EXPECT_FALSE(fs::exists(old.path()));
}

TEST(PartialFile, ThatWasRemovedMeanwhileIsNotPublished) {
  const ScratchFolder folder;
  PartialFile file((folder.path() / "a.h5").string());
  fs::remove(file.path());
  try {
    file.publish();
    FAIL() << "no error";
  } catch (const ResourceError& error) {
    EXPECT_TRUE(contains(error.what(), "was removed by another program: run again")) << error.what();
  }
  EXPECT_EQ(entries(folder.path()), 0);
}

OutputPath kept(const ScratchFolder& folder) {
  OutputPath output((folder.path() / "a").string(), "mark");
  output.kept = (folder.path() / "a.unfinished").string();
  return output;
}

TEST(PartialFile, AKeptFileOutlivesItsProcessAndIsContinued) {
  const ScratchFolder folder;
  {
    PartialFile file(kept(folder));
    EXPECT_FALSE(file.is_continued());
    std::ofstream(file.path()) << "first";
    file.keep();
  }
  EXPECT_EQ(entries(folder.path()), 1);
  EXPECT_EQ(remove_partial_files(folder.path().string(), "mark"), 0);
  PartialFile file(kept(folder));
  EXPECT_TRUE(file.is_continued());
  EXPECT_EQ(content(file.path()), "first");
  std::ofstream(file.path(), std::ios::app) << " second";
  file.publish();
  EXPECT_EQ(content((folder.path() / "a").string()), "first second");
  EXPECT_EQ(entries(folder.path()), 1);
}

// What no run has left under the name of a kept file would block it (FIFO), or take its results elsewhere (links).
TEST(PartialFile, OtherKindsOfKeptFilesAreRefused) {
  const ScratchFolder folder;
  const OutputPath output = kept(folder);
  const auto refusal_of_kept = [&] {
    try {
      const PartialFile file(output);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no InputError");
  };
  ASSERT_EQ(::mkfifo(output.kept.c_str(), 0666), 0);
  EXPECT_TRUE(contains(refusal_of_kept(), "a.unfinished', in which a run keeps unfinished results, is a FIFO"));
  fs::remove(output.kept);
  for (const char* target : {"absent", "/dev/null"}) {
    fs::create_symlink(target, output.kept);
    EXPECT_TRUE(contains(refusal_of_kept(), "is a symbolic link: remove it")) << target;
    fs::remove(output.kept);
  }
}

TEST(PartialFile, OfTwoThatAreKeptAtTheSameTimeTheFirstCounts) {
  const ScratchFolder folder;
  PartialFile first(kept(folder));
  PartialFile second(kept(folder));
  std::ofstream(first.path()) << "first";
  std::ofstream(second.path()) << "second";
  first.keep();
  second.keep();
  EXPECT_TRUE(second.is_continued() && !first.is_continued());
  EXPECT_EQ(content(second.path()), "first");
  EXPECT_EQ(entries(folder.path()), 1);
  second.discard();
  EXPECT_EQ(entries(folder.path()), 0);
}

TEST(PartialFile, BeforeItIsKeptItIsRemovedAsOthersAre) {
  const ScratchFolder folder;
  { const PartialFile file(kept(folder)); }
  EXPECT_EQ(entries(folder.path()), 0);
}

}  // namespace
}  // namespace armilla::core
