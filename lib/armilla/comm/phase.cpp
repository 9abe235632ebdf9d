#include <armilla/comm/phase.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/stop_signals.hpp>

#include <array>
#include <memory>

#include <fmt/format.h>

namespace armilla::comm {

namespace {

PhaseHook phase_hook = nullptr;

/// The error of this rank with its rank among all ranks and its host, unless a smaller group has added them.
core::CaughtError with_origin(core::CaughtError error) {
  if (error.message.ends_with(")") && error.message.rfind(" (rank ") != std::string::npos) return error;
  int rank = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  const std::string origin = fmt::format(" (rank {} on host {})", rank, core::host_name());
  error.message += origin;
  if (error.context) {
    core::ErrorContext context = *error.context;
    context.text += origin;
    error.context = std::make_shared<const core::ErrorContext>(std::move(context));
  }
  return error;
}

/// Collective. Throws the error of rank `speaker` on all ranks; `error` is ignored on other ranks.
[[noreturn]] void throw_on_all(const Communicator& comm, const core::CaughtError& error, int speaker) {
  core::ErrorContext context = error.context ? *error.context : core::ErrorContext();
  std::array<Index, 4> numbers{static_cast<Index>(error.kind), error.context ? 1 : 0, context.value ? 1 : 0,
                               static_cast<Index>(context.form)};
  comm.broadcast(numbers.data(), sizeof(numbers), speaker);
  const auto kind = static_cast<core::ErrorKind>(numbers[0]);
  if (numbers[1] == 0) core::throw_error(kind, comm.broadcast(error.message, speaker));
  std::string value = context.value.value_or("");
  for (std::string* part : {&context.where, &context.section, &context.key, &value, &context.text})
    *part = comm.broadcast(std::move(*part), speaker);
  context.value = numbers[2] != 0 ? std::optional(value) : std::nullopt;
  context.form = static_cast<core::ErrorContext::Form>(numbers[3]);
  core::throw_error(kind, std::move(context));
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
  core::CaughtError error{core::ErrorKind::kInternal, ""};
  if (speaker == comm.rank()) {
    const bool all_failed = least[1] != 0, only_root_failed = least[2] != 0;
    // The root checks most of the input on behalf of all ranks, and a group that of its maps.
    const bool is_of_job = mine->kind == core::ErrorKind::kInput && (only_root_failed || of == Of::kGroups);
    const bool is_of_rank = !all_failed && !is_of_job && mine->kind != core::ErrorKind::kStopped;
    error = is_of_rank ? with_origin(*mine) : *mine;
  }
  throw_on_all(comm, error, speaker);
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
