#pragma once

#include <armilla/backend/device_estimate.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/cost/work.hpp>
#include <armilla/job/parse/document.hpp>
#include <armilla/job/parse/job_spec.hpp>
#include <armilla/job/parse/keys.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace armilla::cost {
class TransformCounts;
}  // namespace armilla::cost

namespace armilla::job {

class StepPlanner;
template <class T>
class StepRun;
struct JobPlan;
struct PlannedStep;

/// A named operand of a step.
struct Operand {
  std::string key;  ///< of the step: alm, map, with, reference
  std::string name;
  ValueSort sort;
  std::string given = {};  ///< name in the job, if `name` was derived from it; empty if it is `name`
};

/// Device memory of a step.
struct DeviceUse {
  backend::DeviceEstimate memory;
  /// Minimum workspace that includes fields; std::nullopt if no workspace does.
  std::optional<core::Index> fields_from;
};

/// Work of a step, for forecasts of time.
struct StepWork {
  cost::Work work;
  std::string assumption = {};  ///< assumptions about unknowns; may be empty
};

/// One step of a job. Each operation has one file in job/steps, with a class that derives from steps::Step, and one row
/// in steps/operations.cpp. Immutable after parsing, so that plans can share it.
class Operation {
 public:
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  // Called during parsing.

  /// Adds operand `name`, given by `key` of the step. If other steps derive it from the value that `key` names, that
  /// value is `given`.
  void take(const std::string& key, const std::string& name, ValueSort sort, const std::string& given = {}) {
    operands_.push_back({key, name, sort, given});
  }
  /// Adds an operand that is a value of the job or a file, which becomes an input.
  void take(const std::string& key, const Reference& reference, ValueSort sort, std::optional<SpectrumKind> kind = {}) {
    take(key, reference.name, sort);
    if (reference.is_file)
      inputs_.push_back({.place = reference.place,
                         .name = reference.name,
                         .sort = sort,
                         .file = reference.path,
                         .spectrum_kind = kind,
                         .is_of_step = true});
  }
  /// Adds a result with that name.
  void make(const std::string& name) { results_.push_back(name); }
  /// Adds the file of a grid, if it has one.
  void read(const GridSpec& grid) {
    if (!grid.description.file.empty()) files_.push_back({grid.place, grid.description.file});
  }

  /// Its operands, in the order in which plan() and run() number them.
  const std::vector<Operand>& operands() const { return operands_; }
  /// The names of its results; none if it has no result.
  const std::vector<std::string>& results() const { return results_; }
  /// The files that it names as operands.
  const std::vector<InputSpec>& inputs() const { return inputs_; }
  /// The files of its grids.
  const std::vector<FileSpec>& files() const { return files_; }

  /// Checks the step against its operands and declares its results. Not collective, allocates no field. Throws
  /// InputError.
  virtual void plan(StepPlanner& planner) const = 0;
  /// Collective. Computes the results.
  virtual void run(StepRun<float>& step) const = 0;
  virtual void run(StepRun<double>& step) const = 0;

  /// Collective over all ranks of a campaign, before they are divided into groups: computes and caches, on all ranks
  /// together, what each group would otherwise compute separately.
  virtual void prepare(const comm::Communicator& /*world*/, const PlannedStep& /*planned*/) const {}
  /// Memory of run() on `rank` besides results and the transform, in the precision of the job. Memory held between
  /// calls is that of StepRun::keep(). It includes device memory if the step has a transform.
  virtual core::MemoryEstimate memory(const JobPlan& /*plan*/, const PlannedStep& /*planned*/, int /*rank*/) const {
    return {};
  }
  /// Device memory of run(), besides its transform; std::nullopt if the step itself does not compute on the device.
  virtual std::optional<DeviceUse> device_use(const JobPlan& /*plan*/, const PlannedStep& /*planned*/,
                                              int /*rank*/) const {
    return std::nullopt;
  }
  /// Whether the step itself computes on the device of the job, and device_use() then returns a value.
  virtual bool uses_device() const { return false; }
  /// The reason why it requires CPUs if execution.backend is auto; empty if it does not.
  virtual std::string why_cpu() const { return {}; }
  /// Work of run() on all ranks of the plan, besides passes over its operands and results: operations and exchanges,
  /// computed without running it. `transform`: counts of the transform that the step planned, or null. By default, the
  /// work of PlannedStep::transforms transforms, towards its result (job/plan/job_work.cpp).
  virtual StepWork work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts* transform) const;
  /// Whether work() includes nearly all operations that take time.
  virtual bool has_time_model() const { return true; }
  /// Note of a dry run about the method of the step; may be empty.
  virtual std::string plan_note(const JobPlan& /*plan*/, const PlannedStep& /*planned*/) const { return {}; }
  /// Whether the object of StepRun::keep() can also be used by `other` with the same transform.
  virtual bool shares_kept(const Operation& /*other*/) const { return false; }
  /// True if run() computes its result in the memory of the first operand if that is no longer needed
  /// (StepRun::take_alm).
  virtual bool reuses_operand() const { return false; }
  /// Number of maps that the step creates, which makes the job a campaign; 0 if it creates one, or as many as its
  /// operands have.
  virtual core::Index makes_items() const { return 0; }
  /// True if it needs the maps of all batches, so that its result is available only after the last batch.
  virtual bool gathers() const { return false; }

 private:
  std::vector<Operand> operands_;
  std::vector<std::string> results_;
  std::vector<InputSpec> inputs_;
  std::vector<FileSpec> files_;
};

using Operations = std::vector<std::shared_ptr<const Operation>>;

/// An operation that a job can use as a step.
struct OperationKind {
  std::string name;
  std::string help;       ///< what it does, in one line
  std::vector<Key> keys;  ///< of its section
  /// The operation, or the sequence of operations that it expands to. Throws InputError that names the place.
  Operations (*parse)(const YamlValue& value, const ParseContext& context);
  std::string example = {};  ///< its section in a job, YAML in flow style
};

/// One row per operation.
const std::vector<OperationKind>& operation_kinds();

}  // namespace armilla::job
