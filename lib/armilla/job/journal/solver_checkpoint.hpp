#pragma once

#include <armilla/core/timer.hpp>
#include <armilla/iteration/checkpoint.hpp>
#include <armilla/job/plan/plan.hpp>

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

namespace armilla::job {

/// Not collective. Whether a job writes checkpoints of its iterations. This holds for jobs of one map that only write
/// files; the checkpoints are in the journal folder next to the first output.
bool has_checkpoints(const JobPlan& plan);

/// Root only. Removes the checkpoints of a finished job that has_checkpoints(), and the folder if it is then empty.
void remove_checkpoints(const JobPlan& plan);

/// Stores the state of one step in its own file, every execution.checkpoint_minutes by the clock of the root, and when
/// the run is asked to stop. A state from other inputs, steps or settings is ignored and overwritten by the next one.
/// If a state cannot be read or written, the run warns and continues without it.
template <class T>
class SolverCheckpoint final : public iteration::Checkpoint<T> {
 public:
  /// Not collective. The plan must satisfy has_checkpoints(). Keeps references to its arguments. `resumed`: called
  /// when the step continues iterations of an earlier run.
  SolverCheckpoint(const comm::Communicator& comm, const JobPlan& plan, std::size_t step, core::PhaseTimers& timers,
                   std::function<void(Index iterations)> resumed);

  std::optional<std::vector<double>> take(const std::string& solver,
                                          std::span<transform::AlmField<T>* const> fields) override;
  void offer(const std::string& solver, Index iterations, std::span<transform::AlmField<T>* const> fields,
             std::span<const double> numbers) override;

 private:
  std::string about(const std::string& solver, Index iterations, Index checksum) const;
  /// Collective. Returns whether the file now holds this state.
  bool write(const std::string& solver, Index iterations, std::span<transform::AlmField<T>* const> fields,
             std::span<const double> numbers);

  const comm::Communicator& comm_;
  const JobPlan& plan_;
  std::size_t step_;
  core::PhaseTimers& timers_;
  std::function<void(Index iterations)> resumed_;
  std::string file_;
  nlohmann::json key_;         ///< root only
  std::optional<Index> kept_;  ///< iterations of the stored state, if it belongs to this step
  double last_;                ///< [s] time of the last checkpoint, or of the start of the step
};

extern template class SolverCheckpoint<float>;
extern template class SolverCheckpoint<double>;

}  // namespace armilla::job
