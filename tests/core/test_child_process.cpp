// Children that behave, crash, hang, or write without end.
#include <armilla/core/build_info.hpp>
#include <armilla/core/child_process.hpp>
#include <armilla/core/program_identity.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace armilla::core {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

ChildResult shell(const std::string& commands, std::chrono::milliseconds limit = 60s) {
  return run_child("/bin/sh", {"-c", commands}, limit);
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

class ChildProcess : public testing::Test {
 protected:
  void SetUp() override { before_ = open_descriptors(); }
  void TearDown() override {
    EXPECT_EQ(open_descriptors(), before_);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD) << "a child or a zombie is left";
  }
  std::size_t before_ = 0;
};

TEST_F(ChildProcess, GivesOutputErrorsAndExitCode) {
  const ChildResult result = shell("echo said; echo warned >&2; exit 7");
  EXPECT_EQ(result.end, ChildEnd::kExited);
  EXPECT_EQ(result.number, 7);
  EXPECT_EQ(result.output, "said\n");
  EXPECT_EQ(result.errors, "warned\n");
}

TEST_F(ChildProcess, HasNoInputAndNoPipesButItsOwn) {
  EXPECT_EQ(shell("cat; echo end").output, "end\n");
  std::size_t inherited = 0;
  for (int number = STDERR_FILENO + 1; number < 1024; ++number) {
    const int flags = fcntl(number, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) ++inherited;
  }
  const std::string listed = shell("exec ls /proc/self/fd").output;
  // Beside the standard streams, ls opens the folder that it lists.
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(listed, '\n')), inherited + 4) << listed;
}

TEST_F(ChildProcess, ReportsTheSignalThatEndedIt) {
  const ChildResult result = shell("echo before; kill -SEGV $$");
  EXPECT_EQ(result.end, ChildEnd::kSignalled);
  EXPECT_EQ(result.number, SIGSEGV);
  EXPECT_EQ(result.output, "before\n");
}

TEST_F(ChildProcess, IsKilledAfterItsTimeLimit) {
  const auto start = std::chrono::steady_clock::now();
  const ChildResult result = shell("echo begun; exec sleep 60", 300ms);
  EXPECT_EQ(result.end, ChildEnd::kTimedOut);
  EXPECT_EQ(result.output, "begun\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST_F(ChildProcess, IsKilledWhileItWritesWithoutEnd) {
  const ChildResult result = shell("while :; do echo 0123456789abcdef; done", 300ms);
  EXPECT_EQ(result.end, ChildEnd::kTimedOut);
  EXPECT_GE(result.output.size(), std::size_t{64} << 10);
  EXPECT_LE(result.output.size(), std::size_t{256} << 10);
}

TEST_F(ChildProcess, NeverBlocksOnMuchOutputOfBothStreams) {
  const ChildResult result = shell("head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero; echo end >&2; echo last");
  EXPECT_EQ(result.end, ChildEnd::kExited);
  EXPECT_TRUE(result.output.ends_with("last\n"));
  EXPECT_TRUE(result.errors.ends_with("end\n"));
}

TEST_F(ChildProcess, MayCloseItsOutputEarly) {
  const ChildResult result = shell("exec >&- 2>&-; sleep 0.2; exit 3");
  EXPECT_EQ(result.end, ChildEnd::kExited);
  EXPECT_EQ(result.number, 3);
}

TEST_F(ChildProcess, IsNotWaitedForByTheOutputOfItsOwnChildren) {
  const auto start = std::chrono::steady_clock::now();
  const ChildResult result = shell("sleep 30 & echo done; exit 0");
  EXPECT_EQ(result.end, ChildEnd::kExited);
  EXPECT_EQ(result.output, "done\n");
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
}

TEST_F(ChildProcess, ThatCannotStartGivesTheReason) {
  const ChildResult absent = run_child("/nowhere/program", {}, 60s);
  EXPECT_EQ(absent.end, ChildEnd::kNotStarted);
  EXPECT_EQ(absent.number, ENOENT);
  const ChildResult folder = run_child("/tmp", {}, 60s);
  EXPECT_EQ(folder.end, ChildEnd::kNotStarted);
  EXPECT_EQ(folder.number, EACCES);
}

TEST_F(ChildProcess, GivesItsOutputWhereSignalsOfChildrenAreIgnored) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const ChildResult result = shell("echo said; exit 7");
  std::signal(SIGCHLD, before);
  EXPECT_EQ(result.end, ChildEnd::kUnknown);
  EXPECT_EQ(result.output, "said\n");
}

TEST_F(ChildProcess, StartsWhereTheStandardStreamsAreClosed) {
  const int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
  const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  const ChildResult result = shell("cat; echo said; echo warned >&2");
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  close(input);
  close(output);
  EXPECT_EQ(result.output, "said\n");
  EXPECT_EQ(result.errors, "warned\n");
}

TEST(ProgramIdentity, IsTheBuildIdThatOthersRead) {
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  const ChildResult notes = run_child("/usr/bin/readelf", {"-n", program}, 60s);
  ASSERT_EQ(notes.end, ChildEnd::kExited);
  const std::string label = "Build ID: ";
  const std::size_t place = notes.output.find(label);
  if (place == std::string::npos) {
    EXPECT_TRUE(program_identity().starts_with(kVersion)) << program_identity();  // linked without one
  } else {
    const std::size_t begin = place + label.size();
    EXPECT_EQ(program_identity(), notes.output.substr(begin, notes.output.find('\n', begin) - begin));
  }
}

}  // namespace
}  // namespace armilla::core
