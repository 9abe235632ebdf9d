#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/operation/step_cost.hpp>
#include <armilla/job/operation/step_resources.hpp>
#include <armilla/job/parse/step_names.hpp>

#include <string>

namespace armilla::job {

class StepPlanner;
template <class T>
class StepRun;

/// Planning of a step. No member is collective.
class StepPlanning {
 public:
  /// Checks the step against its operands and declares its results. Allocates no field. Throws InputError.
  virtual void plan(StepPlanner& planner) const = 0;
  /// Note of a dry run about the method of the step; may be empty.
  virtual std::string plan_note(const JobPlan& /*plan*/, const PlannedStep& /*planned*/) const { return {}; }
  /// Number of maps that the step creates, which makes the job a campaign; 0 if it creates one, or as many as its
  /// operands have.
  virtual core::Index makes_items() const { return 0; }
  /// True if it needs the maps of all batches, so that its result is available only after the last batch.
  virtual bool gathers() const { return false; }
  /// True if run() computes its result in the memory of the first operand if that is no longer needed
  /// (StepRun::take_alm).
  virtual bool reuses_operand() const { return false; }
  /// Whether its maps may have bad pixels, which are NaN and are NaN in the result.
  virtual bool keeps_bad_pixels() const { return false; }
  /// Whether the object of StepRun::keep() can also be used by `other` with the same transform.
  virtual bool shares_kept(const Operation& /*other*/) const { return false; }

 protected:
  ~StepPlanning() = default;
};

/// Computation of a planned step.
class StepExecution {
 public:
  /// Collective over all ranks of a campaign, before they are divided into groups: computes and caches, on all ranks
  /// together, what each group would otherwise compute separately.
  virtual void prepare(const comm::Communicator& /*world*/, const PlannedStep& /*planned*/) const {}
  /// Collective. Computes the results.
  virtual void run(StepRun<float>& step) const = 0;
  virtual void run(StepRun<double>& step) const = 0;

 protected:
  ~StepExecution() = default;
};

/// One step of a job. Each operation has one file in job/steps, with a class that derives from steps::Step, and one row
/// in steps/operations.cpp. Immutable after parsing, so that plans can share it. Code that serves one phase of a job
/// uses the interface of that phase.
class Operation : public StepNames, public StepPlanning, public StepResources, public StepCost, public StepExecution {
 public:
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;
};

}  // namespace armilla::job
