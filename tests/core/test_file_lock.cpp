#include <armilla/core/error.hpp>
#include <armilla/core/file_lock.hpp>
#include <armilla/core/timer.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace armilla::core {
namespace {

namespace fs = std::filesystem;
using test::content;
using test::ScratchFolder;

TEST(FileLock, NamesItsHolderAndRemovesItsFile) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "a.lock";
  {
    const FileLock lock(path, "host a, process 1", 0);
    EXPECT_TRUE(lock.is_held());
    EXPECT_EQ(lock.problem(), "");
    EXPECT_EQ(content(path), "host a, process 1");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(FileLock, TellsWhatADeadHolderLeft) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "a.lock";
  std::ofstream(path) << "host a, process 1";
  {
    const FileLock lock(path, "host b, process 2", 0);
    EXPECT_EQ(lock.left_over(), "host a, process 1");
    EXPECT_EQ(content(path), "host b, process 2");
  }
  EXPECT_EQ(FileLock(path, "host c, process 3", 0).left_over(), "");
}

TEST(FileLock, ThatIsHeldIsWaitedForThenRefused) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "a.lock";
  const FileLock first(path, "host a, process 1", 0);
  const double start = now_seconds();
  try {
    const FileLock second(path, "host b, process 2", 0.3);
    FAIL() << "two holders";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("written by host a, process 1"), std::string::npos) << error.what();
  }
  EXPECT_GE(now_seconds() - start, 0.3);
  EXPECT_EQ(content(path), "host a, process 1");
}

TEST(FileLock, PassesToWhoWaitsForIt) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "a.lock";
  auto first = std::make_unique<FileLock>(path, "first", 0);
  std::jthread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    first.reset();
  });
  const FileLock second(path, "second", 60);
  EXPECT_TRUE(second.is_held());
  EXPECT_EQ(content(path), "second");
}

TEST(FileLock, HasOneHolderAtATimeAlthoughItsFileIsRemoved) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "a.lock";
  std::atomic<int> holders = 0, most = 0, times = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&] {
        for (int i = 0; i < 25; ++i) {
          const FileLock lock(path, "x", 60);
          const int now = ++holders;
          if (now > most) most = now;
          ++times;
          --holders;
        }
      });
  }
  EXPECT_EQ(most, 1);
  EXPECT_EQ(times, 100);
  EXPECT_FALSE(fs::exists(path));
}

TEST(FileLock, IsWaitedForAsLongAsItsHolderGivesSigns) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "a.lock";
  const auto kind = FileLock::Patience::kFromSign;
  auto first = std::make_unique<FileLock>(path, "first", 0, kind);
  std::jthread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3500));
    first.reset();
  });
  const FileLock second(path, "second", 2.5, kind);  // signs are 1 s apart
  EXPECT_TRUE(second.is_held());
  EXPECT_EQ(content(path), "second");
}

TEST(FileLock, OfAHolderWithoutSignsOfLifeIsRefused) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "a.lock";
  const FileLock first(path, "host a, process 1", 0);  // gives no signs, like a suspended process
  const double start = now_seconds();
  try {
    const FileLock second(path, "host b, process 2", 0.5, FileLock::Patience::kFromSign);
    FAIL() << "two holders";
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (const char* part : {"host a, process 1", "no sign of life for 0.5 s", "suspended", "a.lock"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  EXPECT_GE(now_seconds() - start, 0.5);
  EXPECT_LT(now_seconds() - start, 60);
}

TEST(FileLock, OfAKilledProcessIsFree) {
  const ScratchFolder folder;
  const std::string path = folder.path() / "a.lock";
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const FileLock lock(path, "killed", 0);
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(fs::exists(path));
  const FileLock lock(path, "next", 0);
  EXPECT_TRUE(lock.is_held());
  EXPECT_EQ(content(path), "next");
}

TEST(FileLock, ThatCannotBeMadeSaysWhy) {
  const FileLock lock("/proc/armilla.lock", "x", 0);
  EXPECT_FALSE(lock.is_held());
  EXPECT_NE(lock.problem().find("'/proc/armilla.lock' cannot be opened"), std::string::npos) << lock.problem();
}

}  // namespace
}  // namespace armilla::core
