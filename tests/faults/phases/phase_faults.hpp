#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace armilla::test {

/// Threads that run phases: the main thread, and the thread of files of a campaign.
enum class PhaseThread { kMain, kFiles };

/// What a rank throws in a phase. All but kBadAlloc have the text of fault_text().
enum class FaultKind { kInput, kResource, kInternal, kBadAlloc };

/// A failure in one phase of one rank. Phases of each thread are counted from 0 on, twice each: 2n stands for the
/// moment before the work of phase n, 2n + 1 for the moment after it.
struct PhaseFault {
  PhaseThread thread = PhaseThread::kMain;
  int number = 0;
  FaultKind kind = FaultKind::kInput;
};

/// What the hook has seen since start_phase_faults().
struct PhasesSeen {
  std::array<std::vector<std::string>, 2> calls;  ///< [thread][call] "file:line" of the phase; two calls per phase
  std::string fault_at;                           ///< "file:line" of the phase that failed; empty where none did
};

/// Counts phases of this rank from here on, and fails in one of them. The calling thread is the main thread, which
/// waits for `pause` at each call of the hook. Not to be called while phases run.
void start_phase_faults(const std::optional<PhaseFault>& fault, std::chrono::microseconds pause = {});
PhasesSeen phases_seen();

/// The message of the error that a fault throws.
std::string fault_text(const PhaseFault& fault);

}  // namespace armilla::test
