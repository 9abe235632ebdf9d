#pragma once

#include <armilla/cost/work.hpp>
#include <armilla/job/plan/plan.hpp>

#include <string>
#include <vector>

namespace armilla::job {

/// How evenly ranks share the Legendre stage and the rings of a transform.
struct TransformShare {
  std::string step;
  double legendre = 1;  ///< largest over mean of the operations
  double rings = 1;     ///< likewise of dist::ring_work()
};

/// What the ranks of a plan have to do.
struct JobWork {
  /// One action of a schedule.
  struct Part {
    std::string name;  ///< place of a step, "read NAME", "write NAME" or "prepare PLACE"
    cost::Work work;
  };
  std::vector<Part> once;   ///< of JobPlan::schedule
  std::vector<Part> batch;  ///< of a full batch of a campaign
  std::vector<TransformShare> shares;
  std::vector<std::string> assumptions;  ///< for people: what was not known, and steps whose time is not counted

  /// Of everything, with so many batches.
  cost::Work total(double batches) const;
};

/// By arithmetic alone, for all ranks of the plan; looks at the sizes of input files. Not collective.
JobWork job_work(const JobPlan& plan);

}  // namespace armilla::job
