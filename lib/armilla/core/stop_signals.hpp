#pragma once

#include <armilla/core/error.hpp>

#include <optional>
#include <string>
#include <thread>

namespace armilla::core {

/// Handles SIGTERM, SIGINT and SIGUSR1 while it lives: they ask the program to stop. One per process.
///
/// The handler sets a flag, which comm::agree() reads: ranks abandon their work and throw Stopped together. What has
/// not ended by itself kPatience seconds after SIGTERM or SIGINT, or at a second such signal, is ended by a thread of
/// this object: it removes partial files and lock files (core::OwnFiles), waits as long for other ranks to do the same,
/// and exits with kExitStopped. So a rank that computes, or waits for another one, stops as well, and nothing is left
/// behind.
///
/// SIGUSR1 asks to stop at the next boundary: between steps, iterations of an analysis, or batches of maps. A limit of
/// time does the same (stop_after).
class StopSignals {
 public:
  /// What SIGUSR1 does: programs without boundaries stop at once, as for SIGTERM.
  enum class Usr1 { kAtBoundary, kAtOnce };
  /// Whether a thread that ends the process says so on stderr: of several ranks, one speaks.
  enum class Speech { kSpeaks, kSilent };

  /// Seconds, twice: before a process removes its files, and from then to its end. Open MPI's mpirun sends SIGKILL to
  /// all ranks a second after SIGTERM, or as soon as one of them has ended: by then all have done the same.
  static constexpr double kPatience = 0.2;

  /// Throws ResourceError if the system gives no thread or no descriptor.
  StopSignals(Usr1 usr1, Speech speech);
  /// From here on the signals are ignored, and what they asked for is forgotten: the program is about to exit.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  void watch() const;

  Speech speech_;
  std::thread watcher_;
};

/// From now on, the request to stop at a boundary also comes `seconds` after this call, less time_to_write().
void stop_after(double seconds);
/// Seconds that the program needs at a boundary to write what it has; 0 at first. Any thread.
void set_time_to_write(double seconds);
/// Seconds until the request by stop_after() comes; infinite without one, negative when it has come.
double seconds_to_stop();

/// The request to stop at once (kind kStopped); nothing if no signal came. Any thread.
std::optional<CaughtError> stop_at_once();
/// The request to stop at a boundary, or at once.
std::optional<CaughtError> stop_at_boundary();
/// Names the signal, 0 if another rank got it or the limit of time has come: "stopped by SIGTERM: ...". `done` says
/// what became of the results.
std::string stop_text(int signal, const std::string& done);
/// The same for the signal that came, of which there must have been one.
std::string stop_text(const std::string& done);

/// True for the first caller only, who says that the program was stopped.
bool claim_stop_message();

}  // namespace armilla::core
