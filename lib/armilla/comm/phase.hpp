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

/// When a hook of phases is called: before the work of the phase, or after it.
enum class PhaseMoment { kBefore, kAfter };

/// Called in each phase on each rank, from the thread of the phase; `file` and `line` say where the phase is. It may
/// throw: the rank then fails as if the work had thrown.
using PhaseHook = void (*)(PhaseMoment moment, const char* file, int line);

/// Sets the hook of this process, or removes it (nullptr). For tests of faults only: no other code calls it. Not to be
/// called while phases run.
void set_phase_hook(PhaseHook hook);

/// Calls the hook where one is set.
void call_phase_hook(PhaseMoment moment, const char* file, int line);

/// Collective. Runs `work` on every rank, where it must not call collectives, then agrees on failure: no rank goes on
/// to a collective that another will never reach. `file` and `line` are those of the caller, for the hook.
template <class Work>
void phase(const Communicator& comm, Work&& work, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  std::optional<core::CaughtError> error;
  try {
    call_phase_hook(PhaseMoment::kBefore, file, line);
    std::forward<Work>(work)();
    call_phase_hook(PhaseMoment::kAfter, file, line);
  } catch (...) {
    error = core::describe_current_exception();
  }
  agree(comm, error);
}

}  // namespace armilla::comm
