#include <armilla/core/child_process.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace armilla::core {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kKeptBytes = std::size_t{64} << 10;
// Larger than a pipe's capacity, so that one call empties the pipe of a child that has exited; bounded, so that a child
// that never stops writing cannot exceed its time limit.
constexpr std::size_t kMaxBytesAtOnce = std::size_t{4} << 20;
// Interval for polling whether an idle child has exited. It may close its output long before it exits, and its own
// children may keep the output open long afterwards.
constexpr std::chrono::milliseconds kStep{10};
// A killed process exits immediately, unless a driver blocks it in the kernel.
constexpr std::chrono::seconds kPatienceAfterKill{5};

/// An open file descriptor, closed on destruction.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

/// The output of a child on one of its streams.
class Stream {
 public:
  /// Returns false, with errno set, if the process has no descriptors left.
  bool open() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    Descriptor read(ends[0]);
    Descriptor write(ends[1]);
    // Both descriptors are above the standard streams. Those may be closed in this process, and the standard streams of
    // the child are replaced one after the other.
    read_ = Descriptor(fcntl(read.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    write_ = Descriptor(fcntl(write.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    return read_.number() >= 0 && write_.number() >= 0 && fcntl(read_.number(), F_SETFL, O_NONBLOCK) == 0;
  }

  int read_end() const { return read_.number(); }  ///< negative after end of file
  int write_end() const { return write_.number(); }
  void close_write_end() { write_.close(); }

  /// Reads the available data.
  void drain() {
    std::array<char, 4096> part;
    for (std::size_t done = 0; read_.number() >= 0 && done < kMaxBytesAtOnce;) {
      const ssize_t got = ::read(read_.number(), part.data(), part.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) return read_.close();
      text_.append(part.data(), static_cast<std::size_t>(got));
      if (text_.size() > 2 * kKeptBytes) text_.erase(0, text_.size() - kKeptBytes);
      done += static_cast<std::size_t>(got);
    }
  }

  std::string take_text() { return std::move(text_); }

 private:
  Descriptor read_, write_;
  std::string text_;
};

/// Returns 0 or an errno.
int start(const std::string& program, const std::vector<std::string>& arguments, const Stream& output,
          const Stream& errors, pid_t& child) {
  std::vector<char*> values{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) values.push_back(const_cast<char*>(argument.c_str()));
  values.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, output.write_end(), STDOUT_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(&actions, errors.write_end(), STDERR_FILENO);
  if (error == 0) error = posix_spawn(&child, program.c_str(), &actions, nullptr, values.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Whether the child has exited; if so, sets `result`.
bool has_ended(pid_t child, ChildResult& result) {
  int status = 0;
  pid_t found = 0;
  do {
    found = waitpid(child, &status, WNOHANG);
  } while (found < 0 && errno == EINTR);
  if (found == 0) return false;
  result.end = ChildEnd::kUnknown;
  if (found != child) return true;
  if (WIFEXITED(status)) {
    result.end = ChildEnd::kExited;
    result.number = WEXITSTATUS(status);
  } else {
    result.end = ChildEnd::kSignalled;
    result.number = WTERMSIG(status);
  }
  return true;
}

/// Reaps the child, unless even SIGKILL does not terminate it in time.
void kill_child(pid_t child) {
  kill(child, SIGKILL);
  const auto patience = Clock::now() + kPatienceAfterKill;
  ChildResult ignored;
  while (!has_ended(child, ignored) && Clock::now() < patience) poll(nullptr, 0, static_cast<int>(kStep.count()));
}

}  // namespace

ChildResult run_child(const std::string& program, const std::vector<std::string>& arguments,
                      std::chrono::milliseconds limit) {
  Stream output, errors;
  if (!output.open() || !errors.open()) return {.end = ChildEnd::kNotStarted, .number = errno};
  pid_t child = 0;
  if (const int error = start(program, arguments, output, errors, child); error != 0)
    return {.end = ChildEnd::kNotStarted, .number = error};
  output.close_write_end();
  errors.close_write_end();

  ChildResult result;
  const auto deadline = Clock::now() + limit;
  while (true) {
    const bool ended = has_ended(child, result);  // checked before the pipes are drained, so that no output is missed
    output.drain();
    errors.drain();
    if (ended) break;
    if (Clock::now() >= deadline) {
      kill_child(child);
      result.end = ChildEnd::kTimedOut;
      break;
    }
    std::array<pollfd, 2> streams{pollfd{output.read_end(), POLLIN, 0}, pollfd{errors.read_end(), POLLIN, 0}};
    poll(streams.data(), streams.size(), static_cast<int>(kStep.count()));
  }
  result.output = output.take_text();
  result.errors = errors.take_text();
  return result;
}

}  // namespace armilla::core
