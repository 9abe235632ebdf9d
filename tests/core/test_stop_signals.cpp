#include <armilla/core/file_lock.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/core/timer.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>

namespace armilla::core {
namespace {

namespace fs = std::filesystem;
using test::ScratchFolder;
using Usr1 = StopSignals::Usr1;
using Speech = StopSignals::Speech;

void wait(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// Computes on after the signals, with a partial file and a lock in the folder.
[[noreturn]] void ignore_signals(const fs::path& folder, Usr1 usr1, Speech speech, int signal, int times) {
  std::signal(signal, SIG_DFL);  // shells start background commands with SIGINT ignored
  const StopSignals signals(usr1, speech);
  const PartialFile file((folder / "a.h5").string());
  const FileLock lock(folder / "a.lock", "this test", 0);
  if (fs::is_empty(folder)) std::exit(1);
  for (int i = 0; i < times; ++i) {
    std::raise(signal);
    wait(0.05);
  }
  wait(20);
  std::exit(1);
}

TEST(StopSignalsDeathTest, LeavesNothingBehindAndSaysWhichSignalCame) {
  const ScratchFolder folder;
  EXPECT_EXIT(ignore_signals(folder.path(), Usr1::kAtBoundary, Speech::kSpeaks, SIGTERM, 1),
              testing::ExitedWithCode(kExitStopped), "armilla: stopped by SIGTERM: unfinished output files");
  EXPECT_TRUE(fs::is_empty(folder.path()));
  EXPECT_EXIT(ignore_signals(folder.path(), Usr1::kAtBoundary, Speech::kSpeaks, SIGINT, 1),
              testing::ExitedWithCode(kExitStopped), "armilla: stopped by SIGINT: ");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(StopSignalsDeathTest, LeavesASignalIgnoredThatTheProcessWasStartedToIgnore) {
  const auto go_on = [] {
    std::signal(SIGINT, SIG_IGN);
    const StopSignals signals(Usr1::kAtBoundary, Speech::kSpeaks);
    std::raise(SIGINT);
    wait(0.1);
    std::exit(stop_at_once() ? 1 : 0);
  };
  EXPECT_EXIT(go_on(), testing::ExitedWithCode(0), "");
}

TEST(StopSignalsDeathTest, IsSilentWhereAnotherRankSpeaks) {
  const ScratchFolder folder;
  EXPECT_EXIT(ignore_signals(folder.path(), Usr1::kAtBoundary, Speech::kSilent, SIGTERM, 1),
              testing::ExitedWithCode(kExitStopped), "^$");
}

TEST(StopSignalsDeathTest, Usr1StopsProgramsWithoutBoundariesAtOnce) {
  const ScratchFolder folder;
  EXPECT_EXIT(ignore_signals(folder.path(), Usr1::kAtOnce, Speech::kSpeaks, SIGUSR1, 1),
              testing::ExitedWithCode(kExitStopped), "armilla: stopped by SIGUSR1: ");
}

TEST(StopSignalsDeathTest, ASecondSignalDoesNotWait) {
  const ScratchFolder folder;
  const auto twice_within_patience = [&] {
    std::thread late([] {
      wait(0.8 * StopSignals::kPatience);
      std::_Exit(1);
    });
    ignore_signals(folder.path(), Usr1::kAtBoundary, Speech::kSpeaks, SIGTERM, 2);
  };
  EXPECT_EXIT(twice_within_patience(), testing::ExitedWithCode(kExitStopped), "armilla: stopped by SIGTERM: ");
}

TEST(StopSignalsDeathTest, NothingIsPublishedWhileItEndsTheProcess) {
  const ScratchFolder folder;
  const auto publish_for_ever = [&] {
    const StopSignals signals(Usr1::kAtBoundary, Speech::kSpeaks);
    std::raise(SIGTERM);
    for (;;) PartialFile((folder.path() / "a.h5").string()).publish();
  };
  EXPECT_EXIT(publish_for_ever(), testing::ExitedWithCode(kExitStopped), "armilla: stopped by SIGTERM: ");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(StopSignals, AreRequestsOfTheirOwnSort) {
  {
    const StopSignals signals(Usr1::kAtBoundary, Speech::kSpeaks);
    EXPECT_FALSE(stop_at_once());
    EXPECT_FALSE(stop_at_boundary());
    std::raise(SIGUSR1);
    EXPECT_FALSE(stop_at_once());
    ASSERT_TRUE(stop_at_boundary());
    EXPECT_EQ(stop_at_boundary()->kind, ErrorKind::kStopped);
    EXPECT_EQ(stop_text("2 of 3 maps are done"), "stopped by SIGUSR1: 2 of 3 maps are done");
    wait(1.2 * StopSignals::kPatience);  // the process goes on
  }
  const StopSignals signals(Usr1::kAtBoundary, Speech::kSpeaks);
  EXPECT_FALSE(stop_at_boundary());
  std::raise(SIGINT);
  ASSERT_TRUE(stop_at_once());
  EXPECT_EQ(stop_at_once()->kind, ErrorKind::kStopped);
  EXPECT_EQ(stop_at_once()->message.rfind("stopped by SIGINT: ", 0), 0u);
  EXPECT_EQ(stop_at_boundary()->message, stop_at_once()->message);
}

TEST(StopSignals, AProgramThatEndsInTimeIsLeftAlone) {
  {
    const StopSignals signals(Usr1::kAtBoundary, Speech::kSpeaks);
    std::raise(SIGTERM);
  }
  wait(1.2 * StopSignals::kPatience);
  std::raise(SIGTERM);  // ignored from then on
}

TEST(StopSignals, TheFirstCallerSaysIt) {
  const StopSignals signals(Usr1::kAtBoundary, Speech::kSpeaks);
  EXPECT_TRUE(claim_stop_message());
  EXPECT_FALSE(claim_stop_message());
}

TEST(StopSignals, ALimitOfTimeAsksToStopAtABoundaryOnly) {
  {
    const StopSignals signals(Usr1::kAtBoundary, Speech::kSpeaks);
    EXPECT_FALSE(stop_at_boundary());
    stop_after(1000);
    EXPECT_FALSE(stop_at_boundary());
    EXPECT_GT(seconds_to_stop(), 900);
    set_time_to_write(2000);
    ASSERT_TRUE(stop_at_boundary());
    EXPECT_NE(stop_at_boundary()->message.find("stopped by --max-time: "), std::string::npos);
    EXPECT_FALSE(stop_at_once());
    set_time_to_write(0);
    EXPECT_FALSE(stop_at_boundary());
    stop_after(-1);
    EXPECT_TRUE(stop_at_boundary());
  }
  EXPECT_FALSE(stop_at_boundary()) << "it is forgotten with the signals";
}

TEST(StopQuestion, IsAskedInItsThreadUntilItEnds) {
  const auto answer = [] { return CaughtError{ErrorKind::kStopped, "asked"}; };
  {
    const StopQuestion question(answer);
    {
      const StopQuestion other([] { return std::nullopt; });
      EXPECT_FALSE(stop_at_once());
    }
    EXPECT_EQ(stop_at_once()->message, "asked");
    EXPECT_EQ(stop_at_boundary()->message, "asked");
    std::thread([] { EXPECT_FALSE(stop_at_once()); }).join();
  }
  EXPECT_FALSE(stop_at_once());
}

}  // namespace
}  // namespace armilla::core
