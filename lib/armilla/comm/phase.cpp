#include <armilla/comm/phase.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/stop_signals.hpp>

#include <array>

#include <fmt/format.h>

namespace armilla::comm {

namespace {

PhaseHook phase_hook = nullptr;

/// The message of this rank with its rank among all ranks and its host, unless a smaller group has added them.
std::string with_origin(const std::string& message) {
  if (message.ends_with(")") && message.rfind(" (rank ") != std::string::npos) return message;
  int rank = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  return fmt::format("{} (rank {} on host {})", message, rank, core::host_name());
}

/// Whose error a failure can be.
enum class Of { kRanks, kGroups };

void agree_on(const Communicator& comm, const std::optional<core::CaughtError>& mine, Of of) {
  // The error of the lowest failed rank is used. Minima over ranks: that rank; 0 if a rank did not fail; 0 if a rank
  // other than the root failed.
  std::array<double, 3> least{static_cast<double>(mine ? comm.rank() : comm.size()), mine ? 1.0 : 0.0,
                              mine && !comm.is_root() ? 0.0 : 1.0};
  comm.min(least);
  const int speaker = static_cast<int>(least[0]);
  if (speaker == comm.size()) return;
  const bool speaks = speaker == comm.rank();
  Index number = speaks ? static_cast<Index>(mine->kind) : 0;
  comm.broadcast(&number, sizeof(number), speaker);
  const auto kind = static_cast<core::ErrorKind>(number);
  const bool all_failed = least[1] != 0, only_root_failed = least[2] != 0;
  // The root checks most of the input on behalf of all ranks, and a group that of its maps.
  const bool is_of_job = kind == core::ErrorKind::kInput && (only_root_failed || of == Of::kGroups);
  const bool is_of_rank = !all_failed && !is_of_job && kind != core::ErrorKind::kStopped;
  std::string message;
  if (speaks) message = is_of_rank ? with_origin(mine->message) : mine->message;
  core::throw_error(kind, comm.broadcast(message, speaker));
}

}  // namespace

void set_phase_hook(PhaseHook hook) { phase_hook = hook; }

void call_phase_hook(PhaseMoment moment, const char* file, int line) {
  if (phase_hook != nullptr) phase_hook(moment, file, line);
}

void agree(const Communicator& comm, const std::optional<core::CaughtError>& failure) {
  agree_on(comm, failure ? failure : core::stop_at_once(), Of::kRanks);
}

void agree_of_groups(const Communicator& comm, const std::optional<core::CaughtError>& failure) {
  agree_on(comm, failure ? failure : core::stop_at_once(), Of::kGroups);
}

}  // namespace armilla::comm
