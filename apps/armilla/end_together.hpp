#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>

namespace armilla::app {

/// Says on stderr what went wrong, or that a signal has stopped the program; returns the exit code.
int report_error(const core::CaughtError& error);

/// How ranks end after an error: together where all have it, by aborting the run where a rank has it alone and the
/// others wait for it in a collective that it will never reach.
class EndTogether {
 public:
  /// Collective; needs a comm::Session. Uses a communicator of its own, so that it can never match a pending
  /// collective.
  EndTogether();

  /// Says the error once and returns its exit code when all ranks come here within kPatience, else says it with the
  /// number of the rank and aborts the run.
  int report(const core::CaughtError& error) const;

 private:
  static constexpr double kPatience = 60;  // seconds

  bool all_arrive() const;

  comm::Communicator comm_;
};

}  // namespace armilla::app
