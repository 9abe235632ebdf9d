#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>
#include <armilla/job/document.hpp>
#include <armilla/job/job_spec.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace armilla::job {

class StepPlanner;
template <class T>
class StepRun;
struct JobPlan;
struct PlannedStep;
struct ParseContext;

/// A named value that a step takes.
struct Operand {
  std::string key;  ///< of the step: alm, map, with, reference
  std::string name;
  ValueSort sort;
};

/// What one step of a job does. Each operation is one class with one file in job/steps and one row in operations.cpp.
/// Immutable once parsed, so that plans can share it.
class Operation {
 public:
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  /// The values that it takes, in the order in which plan() and run() number them.
  const std::vector<Operand>& operands() const { return operands_; }
  /// The names that it gives to what it makes; none where it makes nothing.
  const std::vector<std::string>& results() const { return results_; }

  /// Checks the step against what it is given, and says what its results will be. Not collective, allocates no field.
  /// Throws InputError.
  virtual void plan(StepPlanner& planner) const = 0;
  /// Collective. Makes the results.
  virtual void run(StepRun<float>& step) const = 0;
  virtual void run(StepRun<double>& step) const = 0;

  /// Collective over all ranks of a campaign, before groups of them go their own ways: has them make together, into the
  /// cache, what each group would else make for itself.
  virtual void prepare(const comm::Communicator& world, const PlannedStep& planned) const;
  /// Bytes that run() allocates on `rank` for its own duration, besides results and the transform.
  virtual core::Index extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                                  int rank) const;
  /// Why it asks for the CPU where execution.backend is auto; empty where it does not.
  virtual std::string why_cpu() const { return {}; }
  /// What a dry run says of how it is going to work; may be empty.
  virtual std::string plan_note(const PlannedStep& /*planned*/) const { return {}; }
  /// Whether what StepRun::keep() gives it would do for `other` on the same transform.
  virtual bool shares_kept(const Operation& /*other*/) const { return false; }
  /// Of these, the bytes that it keeps from batch to batch of a campaign (StepRun::keep).
  virtual core::Index kept_bytes(const JobPlan& plan, const PlannedStep& planned, int rank) const;
  /// True where run() makes its result in the memory of the first operand when nobody needs that any more
  /// (StepRun::take_alm).
  virtual bool reuses_operand() const { return false; }
  /// How many maps it makes of its own, a campaign by itself; 0 where it makes one, or as many as it is given.
  virtual core::Index makes_items() const { return 0; }
  /// True where it takes the maps of all batches together, and its result is there after the last one only.
  virtual bool gathers() const { return false; }
  /// The files that it reads, with the place in the job that names each.
  virtual std::vector<std::pair<Place, std::string>> files() const { return {}; }

 protected:
  /// Takes the value that the member `key` of `step` names.
  void take(const YamlValue& step, const std::string& key, ValueSort sort);
  /// As take(), with the name given.
  void take(const std::string& key, const std::string& name, ValueSort sort);
  /// Makes the value that the member `out` of `step` names.
  void make(const YamlValue& step);
  /// Makes a value of that name.
  void make(const std::string& name);

 private:
  std::vector<Operand> operands_;
  std::vector<std::string> results_;
};

/// What a job can name as a step.
struct OperationKind {
  std::string name;
  std::vector<std::string> keys;
  /// The operation, or the several in order that it stands for. Throws InputError that names the place.
  std::vector<std::shared_ptr<const Operation>> (*parse)(const YamlValue& value, const ParseContext& context);
};

/// What a row of a class names as its parser: its constructor.
template <class Step>
std::vector<std::shared_ptr<const Operation>> parse_step(const YamlValue& value, const ParseContext& context) {
  return {std::make_shared<const Step>(value, context)};
}

/// One row per operation.
const std::vector<OperationKind>& operation_kinds();

}  // namespace armilla::job
