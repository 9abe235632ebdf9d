#pragma once

#include <armilla/job/plan.hpp>
#include <armilla/job/run_record.hpp>

namespace armilla::job {

/// Not collective, but all ranks of a group call it alike. A map of a campaign, number `item`, cannot be used, as was
/// found at `place` of the job: by its policy, throws InputError, which names the map, or notes `found`, whose label it
/// fills in, and warns.
void leave_out(const JobPlan& plan, const Place& place, Index item, SkippedMap found, RunRecord& record);

}  // namespace armilla::job
