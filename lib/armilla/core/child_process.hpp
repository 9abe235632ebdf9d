#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace armilla::core {

/// How a child process ended.
enum class ChildEnd {
  kExited,      ///< `number` is its exit code
  kSignalled,   ///< `number` is the signal
  kTimedOut,    ///< it was killed after the time limit
  kNotStarted,  ///< `number` is the errno of the failed start
  kUnknown      ///< it has exited, but another part of this process collected its status or ignores SIGCHLD
};

/// How a child process ended, and its output.
struct ChildResult {
  ChildEnd end = ChildEnd::kUnknown;
  int number = 0;
  std::string output = {};  ///< the last 64 KiB of its standard output, at least
  std::string errors = {};  ///< the same for its standard error
};

/// Runs a program as a child process and waits for it to exit. Its standard input is empty; its environment is that of
/// this process. A child that exceeds `limit` is killed. Uses posix_spawn, which is safe after MPI and CUDA have been
/// initialised, and installs no signal handler. `arguments`: without the name of the program. Not collective; throws
/// std::bad_alloc only.
ChildResult run_child(const std::string& program, const std::vector<std::string>& arguments,
                      std::chrono::milliseconds limit);

}  // namespace armilla::core
