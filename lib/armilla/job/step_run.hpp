#pragma once

#include <armilla/comm/phase.hpp>
#include <armilla/job/plan.hpp>
#include <armilla/job/run_record.hpp>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace armilla::job {

class SpectraStore;

/// The values of a job in one precision while it runs; empty before they are made and after they are freed.
template <class T>
using Value =
    std::variant<std::monostate, transform::AlmField<T>, transform::MapField<T>, std::vector<alm::SpectraTable>>;

/// The maps of a campaign that steps work on at once; in all else, one map.
struct Batch {
  Index first = 0;  ///< number of the first map in the campaign
  Index maps = 1;   ///< places in the fields
  /// [place] whether its map counts. Others hold numbers of another map: they were skipped, or the campaign ends
  /// before.
  std::vector<bool> there = {};

  bool is_there(Index place) const { return there.empty() || there[static_cast<std::size_t>(place)]; }
};

/// One step while it runs: what it is given and where its results go.
template <class T>
class StepRun {
 public:
  using Alm = transform::AlmField<T>;
  using Map = transform::MapField<T>;

  /// `transform` may be null for steps that planned none.
  StepRun(const comm::Communicator& comm, const JobPlan& plan, std::size_t index, std::vector<Value<T>>& values,
          transform::FieldTransform<T>* transform, RunRecord& record, const Batch& batch, SpectraStore* store,
          std::shared_ptr<const void>& kept)
      : comm_(comm),
        plan_(plan),
        index_(index),
        values_(values),
        transform_(transform),
        record_(record),
        batch_(batch),
        store_(store),
        kept_(kept) {}

  const comm::Communicator& comm() const { return comm_; }
  const Place& place() const { return plan_.spec.steps[index_].place; }
  const PlannedStep& planned() const { return plan_.steps[index_]; }
  const ValueInfo& operand_info(std::size_t number = 0) const { return plan_.values[planned().operands[number]]; }
  const ValueInfo& result_info(std::size_t number = 0) const { return plan_.values[planned().results[number]]; }
  RunRecord& record() { return record_; }
  /// The maps at hand. Results that make_alm() and make_map() give have as many; an operand that is one for all maps of
  /// a campaign (operand_info().per_item is false) has one.
  const Batch& batch() const { return batch_; }
  /// What a message calls the map at a place of the batch: "the map", or in a campaign by its label.
  std::string map_text(Index at) const {
    return plan_.campaign ? "map " + plan_.campaign->labels[static_cast<std::size_t>(batch_.first + at)] : "the map";
  }
  /// Where a step that gathers() puts its spectra; null where nobody wants its result.
  SpectraStore* store() { return store_; }
  /// What the step planned with StepPlanner::use_transform().
  transform::FieldTransform<T>& transform() { return *transform_; }

  /// Operands, by number.
  Alm& alm(std::size_t number = 0) { return std::get<Alm>(values_[planned().operands[number]]); }
  Map& map(std::size_t number = 0) { return std::get<Map>(values_[planned().operands[number]]); }

  /// What make() gives, made once and kept for all batches of a campaign: it must not depend on the maps. Collective
  /// where make() is.
  template <class Kept, class Make>
  const Kept& keep(Make&& make) {
    if (!kept_) kept_ = std::make_shared<const Kept>(make());
    return *static_cast<const Kept*>(kept_.get());
  }

  /// Collective. Runs local work on every rank, its time booked under `name`; all ranks agree on failure.
  template <class Work>
  void local(const std::string& name, Work&& work) {
    comm::phase(comm_, [&] {
      const core::ScopedPhase timer(record_.timers, name);
      work();
    });
  }

  /// Collective. Memory for a result, agreed on by all ranks.
  Alm& make_alm(std::size_t number = 0);
  Map& make_map(std::size_t number = 0);
  /// Not collective, for use within local(). The first result, with the content of the first operand, whose memory it
  /// takes over where nobody needs that any more; of an operand that is one for all maps, each gets a copy. For
  /// operations with reuses_operand().
  Alm& take_alm();
  Map& take_map();  ///< likewise
  /// One table for each map of the batch.
  void set_spectra(std::vector<alm::SpectraTable> tables, std::size_t number = 0) {
    values_[planned().results[number]] = std::move(tables);
  }
  const std::vector<alm::SpectraTable>& spectra(std::size_t number = 0) const {
    return std::get<std::vector<alm::SpectraTable>>(values_[planned().operands[number]]);
  }

 private:
  const comm::Communicator& comm_;
  const JobPlan& plan_;
  std::size_t index_;
  std::vector<Value<T>>& values_;
  transform::FieldTransform<T>* transform_;
  RunRecord& record_;
  const Batch& batch_;
  SpectraStore* store_;
  std::shared_ptr<const void>& kept_;
};

extern template class StepRun<float>;
extern template class StepRun<double>;

}  // namespace armilla::job
