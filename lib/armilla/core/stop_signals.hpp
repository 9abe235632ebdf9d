#pragma once

#include <armilla/core/error.hpp>

#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace armilla::core {

/// Handles SIGTERM, SIGINT and SIGUSR1 during its lifetime as requests to stop the program. One per process.
///
/// The handler sets a flag, which comm::agree() reads; ranks then abandon their work and throw Stopped together. If the
/// process has not exited kPatience seconds after SIGTERM or SIGINT, or at a second such signal, a thread of this
/// object terminates it. That thread removes partial files and lock files (core::OwnFiles), waits the same time for
/// other ranks to do so, and exits with kExitStopped. Ranks that are computing or waiting for others therefore stop as
/// well, and no files are left behind.
///
/// SIGUSR1 requests a stop at the next boundary: between steps, iterations of an analysis, or batches of maps. A time
/// limit (stop_after) has the same effect.
class StopSignals {
 public:
  /// Effect of SIGUSR1: programs without boundaries stop immediately, as for SIGTERM.
  enum class Usr1 { kAtBoundary, kAtOnce };
  /// Whether the thread that terminates the process prints a message to stderr; only one of several ranks does.
  enum class Speech { kSpeaks, kSilent };

  /// Seconds before a process removes its files, and again from then to its exit. Open MPI's mpirun sends SIGKILL to
  /// all ranks one second after SIGTERM, or as soon as one of them has exited; by then all ranks have removed their
  /// files.
  static constexpr double kPatience = 0.2;

  /// Throws ResourceError if no thread or file descriptor is available.
  StopSignals(Usr1 usr1, Speech speech);
  /// From now on ignores the signals and discards their requests, because the program is about to exit.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  void watch() const;

  Speech speech_;
  std::thread watcher_;
};

/// Asks the program whether calls of this thread are to be abandoned, for programs that handle signals themselves, in
/// place of StopSignals. During its lifetime, stop_at_once() and stop_at_boundary() of the thread that created it also
/// return what `ask` returns, if it returns an error.
class StopQuestion {
 public:
  using Ask = std::function<std::optional<CaughtError>()>;
  /// `ask`: called often; must not throw.
  explicit StopQuestion(Ask ask);
  /// Reinstates the question that it replaced.
  ~StopQuestion();
  StopQuestion(const StopQuestion&) = delete;
  StopQuestion& operator=(const StopQuestion&) = delete;

  /// The answer of the question of this thread; std::nullopt if there is none.
  static std::optional<CaughtError> answer();

 private:
  Ask ask_;
  StopQuestion* replaced_;
};

/// Requests a stop at a boundary `seconds` after this call, minus time_to_write().
void stop_after(double seconds);
/// Seconds that the program needs at a boundary to write its results; initially 0. Thread-safe.
void set_time_to_write(double seconds);
/// Seconds until the request set by stop_after(); infinite if there is none, negative if it is past.
double seconds_to_stop();

/// The request for an immediate stop (kind kStopped), by a signal or a StopQuestion; std::nullopt if there is none.
/// Thread-safe.
std::optional<CaughtError> stop_at_once();
/// The request for a stop at a boundary, or for an immediate stop.
std::optional<CaughtError> stop_at_boundary();
/// The message with the name of the signal: "stopped by SIGTERM: ...". `signal` is 0 if another rank received it or the
/// time limit was reached. `done` describes the state of the results.
std::string stop_text(int signal, const std::string& done);
/// The message for the signal received; there must have been one.
std::string stop_text(const std::string& done);

/// True only for the first caller, which reports that the program was stopped.
bool claim_stop_message();

}  // namespace armilla::core
