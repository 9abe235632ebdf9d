#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/run/run_record.hpp>
#include <armilla/ops/map_faults.hpp>

#include <functional>
#include <string>
#include <vector>

namespace armilla::job {

/// Thrown when a step has left out the last map of a batch, so that no work remains for the batch. Caught where batches
/// are run.
struct NoMapLeft {};

/// Not collective. Logs a map that is left out, also in quiet mode, which shows only errors.
void tell_left_out(const std::string& label, const std::string& text);

/// Does not communicate, but all ranks of a group must call it in the same order. The map with index `item` of a
/// campaign cannot be used, as detected at `place` of the job. Depending on the policy, throws InputError, which names
/// the map, or records `found` with its label, and warns.
void leave_out(const JobPlan& plan, const Place& place, Index item, SkippedMap found, RunRecord& record);

/// Collective over a group. leave_out() for several maps of a batch, with the text of about() for each. They become
/// absent, and are replaced in `values` by copies of another map. Throws NoMapLeft if no maps remain.
template <class T>
void leave_out(const comm::Communicator& comm, const JobPlan& plan, const Place& place,
               const std::vector<ops::MapFault>& faults, const std::function<SkippedMap(const ops::MapFault&)>& about,
               std::vector<Value<T>>& values, Batch& batch, RunRecord& record);

}  // namespace armilla::job
