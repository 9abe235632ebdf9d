#include <armilla/comm/phase.hpp>
#include <armilla/core/absolute_path.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/log.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/solver_state.hpp>
#include <armilla/job/journal/campaign_key.hpp>
#include <armilla/job/journal/checkpoints.hpp>
#include <armilla/job/journal/journal_place.hpp>
#include <armilla/job/journal/solver_checkpoint.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace armilla::job {

namespace {

namespace fs = std::filesystem;

/// Collective. Checksum of all coefficients and values: sums of their bits, independent of order, so that it is the
/// same on any number of ranks. It changes with every bit flip.
template <class T>
Index checksum_of(const comm::Communicator& comm, std::span<transform::AlmField<T>* const> fields,
                  std::span<const double> numbers) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 40) - 1;  // prevents overflow of sums over ranks
  std::uint64_t sum = 0;
  const auto add = [&](std::span<const std::byte> bytes, std::size_t place) {
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint32_t)) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data() + i, sizeof(word));
      sum += word * (2 * std::uint64_t{place} + 1);
    }
  };
  comm::phase(comm, [&] {
    for (std::size_t field = 0; field < fields.size(); ++field)
      add(std::as_bytes(std::as_const(*fields[field]).data()), field);
    if (comm.is_root()) add(std::as_bytes(numbers), fields.size());
  });
  std::array<Index, 1> all{static_cast<Index>(sum & kMask)};
  comm.sum(std::span<Index>(all));
  return all[0] & static_cast<Index>(kMask);
}

/// Broadcasts values whose number is known only to rank 0.
void broadcast(const comm::Communicator& comm, std::vector<double>& numbers) {
  auto count = static_cast<Index>(numbers.size());
  comm.broadcast(&count, static_cast<Index>(sizeof(count)));
  numbers.resize(static_cast<std::size_t>(count));
  comm.broadcast(numbers.data(), count * static_cast<Index>(sizeof(double)));
}

}  // namespace

bool has_checkpoints(const JobPlan& plan) { return !plan.campaign && !plan.outputs.empty() && !plan.spec.keep; }

void remove_checkpoints(const JobPlan& plan) { remove_checkpoints(journal_place(plan.spec), plan.mark); }

template <class T>
SolverCheckpoint<T>::SolverCheckpoint(const comm::Communicator& comm, const JobPlan& plan, std::size_t step,
                                      core::PhaseTimers& timers, std::function<void(Index iterations)> resumed)
    : comm_(comm),
      plan_(plan),
      step_(step),
      timers_(timers),
      resumed_(std::move(resumed)),
      file_(checkpoint_file(journal_place(plan.spec), step)),
      last_(core::now_seconds()) {}

template <class T>
std::string SolverCheckpoint<T>::about(const std::string& solver, Index iterations, Index checksum) const {
  return about_text({.file = file_,
                     .job = core::absolute_path(plan_.spec.file),
                     .step = plan_.spec.steps[step_].place.path,
                     .solver = solver,
                     .iterations = iterations,
                     .checksum = checksum,
                     .key = key_});
}

template <class T>
std::optional<std::vector<double>> SolverCheckpoint<T>::take(const std::string& solver,
                                                             std::span<transform::AlmField<T>* const> fields) {
  comm::phase(comm_, [&] {
    if (comm_.is_root()) key_ = what_results_depend_on(plan_);
  });
  const std::string& step = plan_.spec.steps[step_].place.path;
  std::array<Index, 3> found{0, 0, 0};  // whether there is a state, its iterations and its checksum
  std::vector<double> numbers;
  const auto refuse = [&](const std::string& why) {
    core::log().warn("{}: checkpoint '{}' is not used and iterations start from the beginning: {}", step, file_, why);
  };
  std::error_code absent;
  if (comm_.is_root() && !plan_.spec.execution.restart && fs::exists(file_, absent)) {
    try {
      io::SolverStateInfo info = io::open_solver_state(file_);
      const CheckpointEntry state = checkpoint_of(info.about, file_);
      if (state.key != key_) {
        refuse(differences(state.key, key_));
      } else if (state.step == step && state.solver == solver &&
                 info.alm.batch.maps == static_cast<Index>(fields.size())) {
        found = {1, state.iterations, state.checksum};
        numbers = std::move(info.numbers);
      }
    } catch (...) {  // not rethrown, because the other ranks wait for rank 0
      refuse(core::describe_current_exception().message);
    }
  }
  comm_.broadcast(found.data(), static_cast<Index>(sizeof(found)));
  if (found[0] == 0) return std::nullopt;
  broadcast(comm_, numbers);
  try {
    comm::phase(comm_, [&] {
      io::SolverStateInfo info = io::open_solver_state(file_);
      for (std::size_t field = 0; field < fields.size(); ++field) {
        info.alm.batch.map = static_cast<Index>(field);
        for (Index c = 0; c < fields[field]->kind().components(); ++c)
          io::read_alm<T>(info.alm, c, fields[field]->distribution(), comm_.rank(), fields[field]->component(0, c));
      }
    });
    if (checksum_of<T>(comm_, fields, numbers) != found[2]) throw core::InputError("checksum mismatch");
  } catch (const core::Stopped&) {
    throw;
  } catch (const core::Error& error) {
    if (comm_.is_root()) refuse(error.what());
    for (transform::AlmField<T>* field : fields) std::ranges::fill(field->data(), std::complex<T>{});
    return std::nullopt;
  }
  if (comm_.is_root()) core::log().info("{}: resuming at iteration {} from '{}'", step, found[1], file_);
  resumed_(found[1]);
  kept_ = found[1];
  return numbers;
}

template <class T>
bool SolverCheckpoint<T>::write(const std::string& solver, Index iterations,
                                std::span<transform::AlmField<T>* const> fields, std::span<const double> numbers) {
  // Without progress the file is unchanged, to avoid endless restarts of the job.
  if (kept_ == iterations) return true;
  const double start = core::now_seconds();
  try {
    std::vector<std::span<const std::complex<T>>> parts;
    std::string text;
    const Index checksum = checksum_of<T>(comm_, fields, numbers);
    comm::phase(comm_, [&] {
      for (const transform::AlmField<T>* field : fields) parts.push_back(field->data());
      if (!comm_.is_root()) return;
      text = about(solver, iterations, checksum);
      std::error_code error;
      const fs::path folder = fs::path(file_).parent_path();
      fs::create_directories(folder, error);
      core::remove_partial_files(folder.string(), plan_.mark);
    });
    const core::ScopedPhase timer(timers_, "checkpoint");
    io::write_solver_state<T>(comm_, {file_, plan_.mark}, fields.front()->kind().alm_names(),
                              fields.front()->distribution(), {text, numbers, parts});
  } catch (const core::Stopped&) {
    throw;
  } catch (const core::Error& error) {
    if (comm_.is_root()) core::log().warn("could not write a checkpoint: {}", error.what());
    last_ = core::now_seconds();  // retry after the usual interval
    return false;
  }
  kept_ = iterations;
  last_ = core::now_seconds();
  std::array<double, 1> seconds{last_ - start};
  comm_.max(std::span<double>(seconds));
  core::set_time_to_write(seconds[0]);
  return true;
}

template <class T>
void SolverCheckpoint<T>::offer(const std::string& solver, Index iterations,
                                std::span<transform::AlmField<T>* const> fields, std::span<const double> numbers) {
  std::optional<core::CaughtError> stop = core::stop_at_boundary();
  const double interval = 60 * plan_.spec.execution.checkpoint_minutes;
  const bool is_time = comm_.is_root() && interval > 0 && core::now_seconds() - last_ >= interval;
  std::array<Index, 2> asked{stop ? 1 : 0, is_time ? 1 : 0};
  comm_.max(std::span<Index>(asked));
  if (asked[0] + asked[1] == 0) return;
  const bool is_written = write(solver, iterations, fields, numbers);
  if (stop && is_written)
    stop->message += fmt::format("; {} will resume at iteration {} when {} is run again",
                                 plan_.spec.steps[step_].place.path, iterations, plan_.spec.execution.same_command());
  comm::agree(comm_, stop);
}

ARMILLA_INSTANTIATE_CLASS(SolverCheckpoint);

}  // namespace armilla::job
