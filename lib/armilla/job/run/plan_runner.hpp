#pragma once

#include <armilla/io/write.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/progress.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/job/run/spectra_store.hpp>
#include <armilla/job/run/step_run.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace armilla::job {

/// Runs the actions of a plan in one precision. The values of the job are here, each from the action that makes it to
/// the one that frees it.
template <class T>
class PlanRunner {
 public:
  using Alm = transform::AlmField<T>;
  using Map = transform::MapField<T>;

  /// `comm`: the ranks that the plan is for.
  PlanRunner(const comm::Communicator& comm, const JobPlan& plan, Progress& progress, RunRecord& record)
      : comm_(comm),
        plan_(plan),
        progress_(progress),
        record_(record),
        values_(plan.values.size()),
        kept_(plan.steps.size()) {}

  /// Collective. Throws the same error on all ranks; Stopped between steps that are not those of a batch, where a
  /// signal has asked for it (core::stop_at_boundary).
  void run(const std::vector<Action>& actions);

  std::vector<Value<T>>& values() { return values_; }
  /// The maps at hand, in the actions of a batch.
  Batch& batch() { return batch_; }
  /// Collective. What is written of the inputs of a batch must be finite, as results of steps must, by the policy of
  /// the job. Throws InputError, or NoMapLeft.
  void check_batch_inputs();
  /// Frees what the maps at hand have so far.
  void drop_maps();
  /// What happens instead, where these are set, for values that each map has of its own: an input gets its value, an
  /// output goes to its file.
  std::function<void(std::size_t input)> read_batch;
  std::function<void(std::size_t output)> write_batch;
  /// Of several groups of ranks, one writes what is the same for all.
  bool writes = true;
  /// By value: where the steps that gather put what they are given.
  std::map<std::size_t, SpectraStore*> stores;

 private:
  using Transform = transform::FieldTransform<T>;
  using Transforms = std::vector<std::unique_ptr<Transform>>;

  void read(std::size_t index);
  void read_catalogue(std::size_t index);  ///< not collective
  typename Transforms::iterator find_transform(std::size_t step);
  void build_transform(std::size_t index);
  void step(std::size_t index);
  void check_results(std::size_t index, StepRun<T>& run);
  void check_input(std::size_t index);
  void write(std::size_t index);

  const comm::Communicator& comm_;
  const JobPlan& plan_;
  Progress& progress_;
  RunRecord& record_;
  std::vector<Value<T>> values_;  // of plan_.values
  Transforms transforms_;
  std::vector<std::shared_ptr<void>> kept_;  // [step that keeps] from batch to batch
  Batch batch_;
  Batch one_;
};

/// What files say of a value besides its numbers.
io::FieldMetadata metadata_of(const ValueInfo& info);
io::WriteOptions write_options(const OutputSpec& output);

extern template class PlanRunner<float>;
extern template class PlanRunner<double>;

}  // namespace armilla::job
