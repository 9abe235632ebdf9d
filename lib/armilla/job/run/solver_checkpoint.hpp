#pragma once

#include <armilla/iteration/checkpoint.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/run_record.hpp>

#include <string>

#include <nlohmann/json.hpp>

namespace armilla::job {

/// Whether the iterations of a job are kept in files: of one map, with outputs, beside the first of which they are, in
/// the folder of journals. Not collective.
bool has_checkpoints(const JobPlan& plan);

/// Root only. Removes the checkpoints of a job that has finished, and the folder where nothing else is in it.
void remove_checkpoints(const JobPlan& plan);

/// Keeps the state of one step in a file of its own, every execution.checkpoint_minutes by the clock of the root, and
/// where the run is asked to stop. A state of other inputs, steps or settings is not taken, and replaced by the next
/// one. A state that cannot be read or written gives a warning, and the run goes on without it.
template <class T>
class SolverCheckpoint final : public iteration::Checkpoint<T> {
 public:
  /// Not collective. Of a plan that has_checkpoints(). Refers to all that it is given.
  SolverCheckpoint(const comm::Communicator& comm, const JobPlan& plan, std::size_t step, RunRecord& record);

  std::optional<std::vector<double>> take(const std::string& solver,
                                          std::span<transform::AlmField<T>* const> fields) override;
  void offer(const std::string& solver, Index iterations, std::span<transform::AlmField<T>* const> fields,
             std::span<const double> numbers) override;

 private:
  std::string about(const std::string& solver, Index iterations, Index checksum) const;
  /// Collective. Whether the file has this state.
  bool write(const std::string& solver, Index iterations, std::span<transform::AlmField<T>* const> fields,
             std::span<const double> numbers);

  const comm::Communicator& comm_;
  const JobPlan& plan_;
  std::size_t step_;
  RunRecord& record_;
  std::string file_;
  nlohmann::json key_;         ///< root only
  std::optional<Index> kept_;  ///< iterations of the state in the file, where it is of this step
  double last_;                ///< [s] of the clock: the last checkpoint, or the begin of the step
};

extern template class SolverCheckpoint<float>;
extern template class SolverCheckpoint<double>;

}  // namespace armilla::job
