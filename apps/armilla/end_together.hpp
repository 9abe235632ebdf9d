#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>

namespace armilla::app {

/// Prints the error to stderr, or a notice if a signal stopped the program. Returns the exit code.
int report_error(const core::CaughtError& error);

/// Ends all ranks after an error. If all ranks report an error, they exit normally. If only some do, the others may
/// wait forever in a collective call, so the run is aborted.
class EndTogether {
 public:
  /// Collective; requires a comm::Session. Uses its own communicator, so that it cannot match a pending collective.
  EndTogether();

  /// If all ranks call this within kPatience, rank 0 prints the error and all ranks return the exit code. Otherwise
  /// prints the error with the rank and aborts the run.
  int report(const core::CaughtError& error) const;

 private:
  static constexpr double kPatience = 60;  // seconds

  bool all_arrive() const;

  comm::Communicator comm_;
};

}  // namespace armilla::app
