#pragma once

#include <armilla/job/operation/step_cost.hpp>
#include <armilla/job/plan/counted_transforms.hpp>
#include <armilla/job/plan/plan.hpp>

#include <string>
#include <vector>

namespace armilla::job {

/// Load balance of the Legendre stage and the rings of a transform across ranks.
struct TransformShare {
  std::string step;
  double legendre = 1;  ///< maximum over mean of the operation counts
  double rings = 1;     ///< maximum over mean of dist::ring_work()
};

/// The work of the ranks of a plan.
struct JobWork {
  /// One action of a schedule.
  struct Part {
    std::string name;  ///< path of a step, "read NAME", "write NAME" or "prepare PATH"
    cost::Work work;
  };
  std::vector<Part> once;   ///< of JobPlan::schedule
  std::vector<Part> batch;  ///< actions of a full batch of a campaign
  std::vector<TransformShare> shares;
  std::vector<std::string> assumptions;  ///< human-readable: unknown quantities, and steps whose time is not counted

  /// Total work with this number of batches.
  cost::Work total(double batches) const;
};

/// Not collective. Computes the work of all ranks of the plan analytically; reads only the sizes of input files. Takes
/// the counts of transforms from `counted`, and adds missing ones.
JobWork job_work(const JobPlan& plan, CountedTransforms& counted);

/// Not collective. The work of a step that only runs PlannedStep::transforms transforms, towards its result.
/// `transform`: their counts, or null if there are none.
StepWork work_of_transforms(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts* transform);

/// Bytes of a real value in the precision of a job.
Index bytes_of_number(const JobPlan& plan);

}  // namespace armilla::job
