#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/batch.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/ops/map_faults.hpp>

#include <functional>
#include <string>
#include <vector>

namespace armilla::job {

/// Not collective. Names a map that is left out in the log, also of a quiet run, which shows errors only.
void tell_left_out(const std::string& label, const std::string& text);

/// Not collective, but all ranks of a group call it alike. A map of a campaign, number `item`, cannot be used, as was
/// found at `place` of the job: by its policy, throws InputError, which names the map, or notes `found`, whose label it
/// fills in, and warns.
void leave_out(const JobPlan& plan, const Place& place, Index item, SkippedMap found, RunRecord& record);

/// Collective over a group. The same for maps of a batch, with what about() says of each: they are not there from here
/// on, and their places in `values` become copies of another map. Throws NoMapLeft if no other is there.
template <class T>
void leave_out(const comm::Communicator& comm, const JobPlan& plan, const Place& place,
               const std::vector<ops::MapFault>& faults, const std::function<SkippedMap(const ops::MapFault&)>& about,
               std::vector<Value<T>>& values, Batch& batch, RunRecord& record);

}  // namespace armilla::job
