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

/// A named value that a step takes.
struct Operand {
  std::string key;  ///< of the step: alm, map, with, reference
  std::string name;
  ValueSort sort;
  std::string given = {};  ///< what the job names under the key, where `name` was made of it; empty: `name`
};

/// What a step takes of the memory of a device.
struct DeviceUse {
  backend::DeviceEstimate memory;
  std::optional<core::Index> fields_from;  ///< working space from which on its fields are there too; nothing: never
};

/// What a step does, for forecasts of time.
struct StepWork {
  cost::Work work;
  std::string assumption = {};  ///< what is not known before the run; may be empty
};

/// What one step of a job does. Each operation is one file in job/steps, whose class derives from steps::Step, and one
/// row in steps/operations.cpp. Immutable once parsed, so that plans can share it.
class Operation {
 public:
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  // While it is parsed.

  /// It takes the value `name`, which `key` of the step names; or which other steps made of `given`, that `key` names.
  void take(const std::string& key, const std::string& name, ValueSort sort, const std::string& given = {}) {
    operands_.push_back({key, name, sort, given});
  }
  /// It makes a value of that name.
  void make(const std::string& name) { results_.push_back(name); }
  /// It reads a file.
  void read(const FileSpec& file) { files_.push_back(file); }
  void read(const GridSpec& grid) {
    if (!grid.description.file.empty()) files_.push_back({grid.place, grid.description.file});
  }

  /// The values that it takes, in the order in which plan() and run() number them.
  const std::vector<Operand>& operands() const { return operands_; }
  /// The names that it gives to what it makes; none if it makes nothing.
  const std::vector<std::string>& results() const { return results_; }
  const std::vector<FileSpec>& files() const { return files_; }

  /// Checks the step against what it is given, and says what its results will be. Not collective, allocates no field.
  /// Throws InputError.
  virtual void plan(StepPlanner& planner) const = 0;
  /// Collective. Makes the results.
  virtual void run(StepRun<float>& step) const = 0;
  virtual void run(StepRun<double>& step) const = 0;

  /// Collective over all ranks of a campaign, before groups of them go their own ways: makes, on all ranks together,
  /// what each group would otherwise make for itself, and caches it.
  virtual void prepare(const comm::Communicator& /*world*/, const PlannedStep& /*planned*/) const {}
  /// What run() takes on `rank` besides results and the transform, in the precision of the job; what it holds between
  /// calls is what StepRun::keep() keeps from batch to batch. Of a device as well, where the step has a transform.
  virtual core::MemoryEstimate memory(const JobPlan& /*plan*/, const PlannedStep& /*planned*/, int /*rank*/) const {
    return {};
  }
  /// Likewise of a device, besides its transform; nothing if it does not compute there by itself.
  virtual std::optional<DeviceUse> device_use(const JobPlan& /*plan*/, const PlannedStep& /*planned*/,
                                              int /*rank*/) const {
    return std::nullopt;
  }
  /// Whether it computes on a device by itself where the job has one, and has device_use() then.
  virtual bool uses_device() const { return false; }
  /// Why it asks for the CPU where execution.backend is auto; empty if it does not.
  virtual std::string why_cpu() const { return {}; }
  /// What run() does on all ranks of the plan, besides passes over its operands and results: operations and exchanges,
  /// by arithmetic alone. `transform`: counts of the transform that the step planned; null for none. By default
  /// PlannedStep::transforms transforms, towards its result (job/plan/job_work.cpp).
  virtual StepWork work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts* transform) const;
  /// Whether work() counts nearly all that takes time.
  virtual bool has_time_model() const { return true; }
  /// What a dry run says of how it is going to work; may be empty.
  virtual std::string plan_note(const JobPlan& /*plan*/, const PlannedStep& /*planned*/) const { return {}; }
  /// Whether what StepRun::keep() gives it would do for `other` on the same transform.
  virtual bool shares_kept(const Operation& /*other*/) const { return false; }
  /// True if run() makes its result in the memory of the first operand when nobody needs that any more
  /// (StepRun::take_alm).
  virtual bool reuses_operand() const { return false; }
  /// How many maps it makes of its own, a campaign by itself; 0 if it makes one, or as many as it is given.
  virtual core::Index makes_items() const { return 0; }
  /// True if it takes the maps of all batches together, and its result is there after the last one only.
  virtual bool gathers() const { return false; }

 private:
  std::vector<Operand> operands_;
  std::vector<std::string> results_;
  std::vector<FileSpec> files_;
};

using Operations = std::vector<std::shared_ptr<const Operation>>;

/// What a job can name as a step.
struct OperationKind {
  std::string name;
  std::string help;       ///< what it does, in one line
  std::vector<Key> keys;  ///< of its section
  /// The operation, or the several in order that it stands for. Throws InputError that names the place.
  Operations (*parse)(const YamlValue& value, const ParseContext& context);
};

/// One row per operation.
const std::vector<OperationKind>& operation_kinds();

}  // namespace armilla::job
