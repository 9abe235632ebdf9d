#pragma once

#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/progress.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/job/value/value.hpp>
#include <armilla/transform/transform_cache.hpp>

namespace armilla::job {

/// Collective. Runs the schedule of the plan of a single map, in its precision. Fields are passed from step to step in
/// memory. Returns the values that the plan keeps. Throws the same error on all ranks; complete files are kept,
/// incomplete ones removed. Transforms are taken from `cache`, which is for these ranks.
AnyValues run_plan(const comm::Communicator& comm, const JobPlan& plan, transform::TransformCache& cache,
                   Progress& progress, RunRecord& record);

}  // namespace armilla::job
