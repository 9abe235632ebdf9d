#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>

#include <optional>
#include <utility>

namespace armilla::comm {

/// Collective. Agrees on failure: if any rank passes an error, all ranks throw the error of the lowest such rank, with
/// the same text and class. Otherwise returns on all ranks. A signal for an immediate stop (core::StopSignals) counts
/// as an error of the rank that received it.
void agree(const Communicator& comm, const std::optional<core::CaughtError>& failure);

/// Collective. agree() for failures of groups of ranks, whose ranks have already agreed. An InputError does not name
/// the rank, because it is about the maps of the group.
void agree_of_groups(const Communicator& comm, const std::optional<core::CaughtError>& failure);

/// When a hook of phases is called: before the work of the phase, or after it.
enum class PhaseMoment { kBefore, kAfter };

/// Called in each phase on each rank, in the thread of the phase; `file` and `line` are the location of the phase. It
/// may throw; the rank then fails as if the work had thrown.
using PhaseHook = void (*)(PhaseMoment moment, const char* file, int line);

/// Sets the hook of this process, or removes it (nullptr). For fault tests only. Must not be called while phases run.
void set_phase_hook(PhaseHook hook);

/// Calls the hook if one is set.
void call_phase_hook(PhaseMoment moment, const char* file, int line);

/// Collective. Runs `work`, which must not call collectives, on every rank, then agrees on failure. Therefore no rank
/// can enter a collective that another rank never calls. `file` and `line` are those of the caller, for the hook.
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
