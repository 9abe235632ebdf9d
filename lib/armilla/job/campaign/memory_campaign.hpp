#pragma once

#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/progress.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/job/value/value.hpp>
#include <armilla/transform/transform_cache.hpp>

namespace armilla::job {

/// Collective. Runs a job over many maps whose results stay in memory. All ranks form a single group, and nothing is
/// written. Returns the values that the plan keeps; values of maps that were left out are NaN. Throws the same error on
/// all ranks. Transforms are taken from `cache`, which is for these ranks.
AnyValues run_campaign_in_memory(const comm::Communicator& comm, const JobPlan& plan, transform::TransformCache& cache,
                                 Progress& progress, RunRecord& record);

}  // namespace armilla::job
