#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>

#include <optional>
#include <utility>

namespace armilla::comm {

/// Collective. Agrees on failure: if any rank passes an error, all ranks throw that of the lowest such rank, with the
/// same text and class; otherwise returns on all ranks. A signal to stop at once (core::StopSignals) counts as an error
/// of the rank that got it.
void agree(const Communicator& comm, const std::optional<core::CaughtError>& failure);

/// Collective. Runs `work` on every rank, where it must not call collectives, then agrees on failure: no rank goes on
/// to a collective that another will never reach.
template <class Work>
void phase(const Communicator& comm, Work&& work) {
  std::optional<core::CaughtError> error;
  try {
    std::forward<Work>(work)();
  } catch (...) {
    error = core::describe_current_exception();
  }
  agree(comm, error);
}

}  // namespace armilla::comm
