#pragma once

#include <armilla/comm/phase.hpp>
#include <armilla/iteration/checkpoint.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/ops/map_faults.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace armilla::job {

class SpectraStore;

/// A running step: its operands and results.
template <class T>
class StepRun {
 public:
  using Alm = transform::AlmField<T>;
  using Map = transform::MapField<T>;
  using Values = points::PointField<T>;

  /// `transform` may be null for steps that planned no transform.
  StepRun(const comm::Communicator& comm, const JobPlan& plan, std::size_t index, std::vector<Value<T>>& values,
          transform::FieldTransform<T>* transform, RunRecord& record, Batch& batch, SpectraStore* store,
          std::shared_ptr<void>& kept, iteration::Checkpoint<T>* checkpoint)
      : comm_(comm),
        plan_(plan),
        index_(index),
        values_(values),
        transform_(transform),
        record_(record),
        batch_(batch),
        store_(store),
        kept_(kept),
        checkpoint_(checkpoint) {}

  const comm::Communicator& comm() const { return comm_; }
  const Place& place() const { return plan_.spec.steps[index_].place; }
  const PlannedStep& planned() const { return plan_.steps[index_]; }
  const ValueInfo& operand_info(std::size_t number = 0) const { return plan_.values[planned().operands[number]]; }
  const ValueInfo& result_info(std::size_t number = 0) const { return plan_.values[planned().results[number]]; }
  const ExecutionSpec& execution() const { return plan_.spec.execution; }
  RunRecord& record() { return record_; }
  /// Not collective, but must be called with the same arguments on all ranks. Reports values of a map.
  void report(const FindingKind& kind, FindingValues values) {
    add_finding(record_.findings, {kind.name, place().path, std::move(values)});
  }
  /// What the step has reported for the maps so far.
  Finding found(const FindingKind& kind) const {
    const Finding* const known = find_finding(record_.findings, kind.name, place().path);
    return known == nullptr ? Finding() : *known;
  }
  /// The batch. Results of make_alm() and make_map() have as many maps as the batch; a shared operand of a campaign
  /// (operand_info().per_item is false) has one.
  const Batch& batch() const { return batch_; }
  /// Collective. Maps of the batch cannot be processed, as detected at `key` of the step (empty for the step itself).
  /// Depending on the policy of the job, throws InputError, or leaves them out and throws NoMapLeft if no maps remain.
  /// They are replaced in all values of the batch by copies of another map. In a step that runs once, throws
  /// InputError.
  void leave_out(const std::vector<ops::MapFault>& faults, const std::string& key = {});
  /// Collective. Executes `work`. If it throws MapFaults, leaves out these maps and repeats it.
  void without_faulty(const std::string& key, const std::function<void()>& work);
  /// Not collective, but must be called with the same arguments on all ranks. Adds a warning of the run, for the map at
  /// index `place` of the batch or for all maps.
  void warn(const std::string& text, std::optional<Index> place = {});
  /// Storage for the spectra of a step that gathers(); null if its result is not needed.
  SpectraStore* store() { return store_; }
  /// The transform planned with StepPlanner::use_transform().
  transform::FieldTransform<T>& transform() { return *transform_; }

  /// Checkpoint of solvers; null in campaigns, which resume by map, and if nothing is written.
  iteration::Checkpoint<T>* checkpoint() { return checkpoint_; }

  /// The workspace of a device; std::nullopt if the job has no device.
  std::optional<Index> device_work() const {
    return plan_.device ? std::optional(plan_.device->work_bytes) : std::nullopt;
  }

  /// Operands, by index.
  const Alm& alm(std::size_t number = 0) const { return operand<Alm>(number); }
  const Map& map(std::size_t number = 0) const { return operand<Map>(number); }
  const Values& values(std::size_t number = 0) const { return operand<Values>(number); }

  /// The result of make(), a std::unique_ptr, created once and kept for all batches of a campaign with the same number
  /// of maps, and for steps that share it (Operation::shares_kept). It must not depend on the maps, except for their
  /// number. Collective if make() is.
  template <class Kept, class Make>
  Kept& keep(Make&& make) {
    if (!kept_) {
      const double start = core::now_seconds();
      kept_ = std::shared_ptr<Kept>(make());
      if (planned().per_item) record_.preparation_seconds += core::now_seconds() - start;
    }
    return *static_cast<Kept*>(kept_.get());
  }

  /// Collective. Runs local work on every rank and adds its time to `name`; all ranks throw if one does.
  template <class Work>
  void local(const std::string& name, Work&& work) {
    comm::phase(comm_, [&] {
      const core::ScopedPhase timer(record_.timers, name);
      work();
    });
  }

  /// Collective. Allocates a result; all ranks throw if one does.
  Alm& make_alm(std::size_t number = 0);
  Map& make_map(std::size_t number = 0);
  Values& make_values(const std::shared_ptr<const points::LocalPoints>& places, std::size_t number = 0);
  /// Not collective, for use within local(). The first result, with the contents of the first operand. It takes over
  /// the memory of the operand if that is no longer needed. If the operand is shared by all maps, each map gets a copy.
  /// For operations with reuses_operand().
  Alm& take_alm();
  Map& take_map();  ///< like take_alm()
  /// Sets one table for each map of the batch.
  void set_spectra(Tables tables, std::size_t number = 0) {
    values_[planned().results[number]].template emplace<Tables>(std::move(tables));
  }
  const Tables& spectra(std::size_t number = 0) const { return operand<Tables>(number); }

 private:
  template <class Held>
  const Held& operand(std::size_t number) const {
    return values_[planned().operands[number]].template get<Held>();
  }
  /// `shape`: what the constructor of the field takes between kind and maps.
  template <class Field, class... Shape>
  Field& make(std::size_t number, const Shape&... shape);
  template <class Field, class Distribution>
  Field& take(const Distribution& distribution);

  const comm::Communicator& comm_;
  const JobPlan& plan_;
  std::size_t index_;
  std::vector<Value<T>>& values_;
  transform::FieldTransform<T>* transform_;
  RunRecord& record_;
  Batch& batch_;
  SpectraStore* store_;
  std::shared_ptr<void>& kept_;
  iteration::Checkpoint<T>* checkpoint_;
};

extern template class StepRun<float>;
extern template class StepRun<double>;

}  // namespace armilla::job
