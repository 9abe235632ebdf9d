#pragma once

#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/progress.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/job/run/spectra_store.hpp>
#include <armilla/job/run/step_run.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace armilla::job {

/// Runs the actions of a plan in one precision. It holds each value of the job from the action that creates it to the
/// action that frees it.
template <class T>
class PlanRunner {
 public:
  using Alm = transform::AlmField<T>;
  using Map = transform::MapField<T>;

  /// `comm`: the ranks for which the plan was made; `cache` has transforms on these ranks.
  PlanRunner(const comm::Communicator& comm, const JobPlan& plan, transform::TransformCache& cache, Progress& progress,
             RunRecord& record)
      : comm_(comm),
        plan_(plan),
        cache_(cache),
        progress_(progress),
        record_(record),
        values_(plan.values.size()),
        step_states_(plan.steps.size()) {}

  /// Collective. Throws the same error on all ranks. If a signal has requested it (core::stop_at_boundary), throws
  /// Stopped between steps outside a batch.
  void run(const std::vector<Action>& actions);

  /// Collective. Prepares the steps of batches for another number of maps, after set_maps_at_once().
  void prepare_batches();

  std::vector<Value<T>>& values() { return values_; }
  /// Moves out the values of the whole job that the plan keeps.
  ValuesByName<T> take_kept();
  /// Collective. Runs the schedule of batches for these maps, whose inputs are among the values. Maps are left out by
  /// the policy of the job. If none is left, frees their values.
  void run_batch(Batch batch);
  /// The current maps, or those of the last batch.
  const Batch& batch() const { return batch_; }
  /// Writes a per-map output to its file.
  std::function<void(std::size_t output)> write_batch;
  /// Takes a per-map value that stays in memory for the caller.
  std::function<void(std::size_t value)> keep_batch;
  /// Makes the storage for the state of the iterations of a step, if it is kept. May be empty.
  std::function<std::unique_ptr<iteration::Checkpoint<T>>(std::size_t step)> make_checkpoint;
  /// With several groups of ranks, true for the group that writes the values shared by all maps.
  bool writes = true;
  /// [value] storage for the operands of gathering steps.
  std::map<std::size_t, SpectraStore*> stores;

 private:
  using Transforms = std::vector<transform::CachedTransform<T>>;

  void read(std::size_t index);
  typename Transforms::iterator find_transform(std::size_t step);
  void build_transform(std::size_t index);
  void step(std::size_t index);
  void check_results(std::size_t index, StepRun<T>& run);
  /// Checks that an input to be written is finite, like the results of steps, according to the policy of the job.
  /// Throws InputError or NoMapLeft.
  void check_input(std::size_t index);
  void write(std::size_t index);

  const comm::Communicator& comm_;
  const JobPlan& plan_;
  transform::TransformCache& cache_;
  Progress& progress_;
  RunRecord& record_;
  std::vector<Value<T>> values_;  // of plan_.values
  Transforms transforms_;
  std::vector<std::shared_ptr<void>> step_states_;  // [step that keeps state], kept between batches
  Batch batch_;
  Batch one_;
};

extern template class PlanRunner<float>;
extern template class PlanRunner<double>;

}  // namespace armilla::job
