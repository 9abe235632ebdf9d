#include <armilla/comm/phase.hpp>
#include <armilla/core/stop_signals.hpp>

namespace armilla::comm {

namespace {
PhaseHook phase_hook = nullptr;
}  // namespace

void set_phase_hook(PhaseHook hook) { phase_hook = hook; }

void call_phase_hook(PhaseMoment moment, const char* file, int line) {
  if (phase_hook != nullptr) phase_hook(moment, file, line);
}

void agree(const Communicator& comm, const std::optional<core::CaughtError>& failure) {
  const std::optional<core::CaughtError> mine = failure ? failure : core::stop_at_once();
  // The error of the lowest failed rank is used.
  double first = mine ? comm.rank() : comm.size();
  comm.min({&first, 1});
  const int speaker = static_cast<int>(first);
  if (speaker == comm.size()) return;
  const bool speaks = speaker == comm.rank();
  Index kind = speaks ? static_cast<Index>(mine->kind) : 0;
  comm.broadcast(&kind, sizeof(kind), speaker);
  const std::string message = comm.broadcast(speaks ? mine->message : std::string(), speaker);
  core::throw_error(static_cast<core::ErrorKind>(kind), message);
}

}  // namespace armilla::comm
