#pragma once

#include <armilla/cost/work.hpp>

#include <string>

namespace armilla::cost {
class TransformCounts;
}  // namespace armilla::cost

namespace armilla::job {

struct JobPlan;
struct PlannedStep;

/// Work of a step, for forecasts of time.
struct StepWork {
  cost::Work work;
  std::string assumption = {};  ///< assumptions about unknowns; may be empty
};

/// Run time of a planned step. No member is collective.
class StepCost {
 public:
  /// Work of run() on all ranks of the plan, besides passes over its operands and results: operations and exchanges,
  /// computed without running it. `transform`: counts of the transform that the step planned, or null.
  virtual StepWork work(const JobPlan& plan, const PlannedStep& planned,
                        const cost::TransformCounts* transform) const = 0;
  /// Whether work() includes nearly all operations that take time.
  virtual bool has_time_model() const { return true; }

 protected:
  ~StepCost() = default;
};

}  // namespace armilla::job
