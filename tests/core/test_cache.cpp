#include <armilla/core/cache.hpp>

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>

namespace armilla::core {
namespace {

namespace fs = std::filesystem;
using test::content;
using test::ScratchFolder;

// Puts the environment back as it was.
class Environment {
 public:
  void set(const char* name, const char* value) {
    if (!before_.contains(name)) before_[name] = std::getenv(name) == nullptr ? "" : std::getenv(name);
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  ~Environment() {
    for (const auto& [name, value] : before_)
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
  }

 private:
  std::map<std::string, std::string> before_;
};

TEST(Cache, FolderIsTheFirstThatIsNamed) {
  Environment environment;
  environment.set("ARMILLA_CACHE_DIR", "/a");
  environment.set("XDG_CACHE_HOME", "/x");
  environment.set("HOME", "/h");
  EXPECT_EQ(cache_folder(), "/a");
  environment.set("ARMILLA_CACHE_DIR", nullptr);
  EXPECT_EQ(cache_folder(), "/x/armilla");
  environment.set("XDG_CACHE_HOME", nullptr);
  EXPECT_EQ(cache_folder(), "/h/.cache/armilla");
  environment.set("HOME", nullptr);
  EXPECT_EQ(cache_folder(), "");
}

TEST(Cache, FileAppearsWhole) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "new" / "file";
  {
    CacheFile file(path);
    file.write("abc", 3);
    EXPECT_FALSE(fs::exists(path));
    file.write("de", 2);
    EXPECT_TRUE(file.commit());
  }
  EXPECT_EQ(content(path), "abcde");
  {
    CacheFile file(path);
    file.write("x", 1);
  }
  EXPECT_EQ(content(path), "abcde");
  EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), fs::directory_iterator()), 1);
}

TEST(Cache, FileThatCannotBeIsSaidToBeNone) {
  const ScratchFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  CacheFile in_a_file(folder.path() / "file" / "cache");
  in_a_file.write("abc", 3);
  EXPECT_FALSE(in_a_file.commit());
  CacheFile nowhere("");
  nowhere.write("abc", 3);
  EXPECT_FALSE(nowhere.commit());
}

TEST(Cache, HashIsFnv1a) {
  // Of "foobar", in the tables of its authors.
  EXPECT_EQ(fnv1a("foobar", 6), 0x85944171f73967e8u);
  EXPECT_EQ(fnv1a("bar", 3, fnv1a("foo", 3)), fnv1a("foobar", 6));
}

}  // namespace
}  // namespace armilla::core
