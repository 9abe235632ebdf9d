#pragma once

#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/progress.hpp>
#include <armilla/job/run/run_record.hpp>

namespace armilla::job {

/// Collective. Does what the schedule of the plan says, in its precision. Fields pass from step to step in memory.
/// Throws the same error on all ranks; files that were complete by then stay, others leave nothing behind.
void run_plan(const comm::Communicator& comm, const JobPlan& plan, Progress& progress, RunRecord& record);

}  // namespace armilla::job
