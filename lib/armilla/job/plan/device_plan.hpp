#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/plan/plan.hpp>

namespace armilla::job {

/// Collective over all ranks, with the plan of their own group, whose rank `rank` it is. Chooses the working space of
/// all transforms of the job on devices. Throws ResourceError, which says how much is needed and what to do, where a
/// device is too small. Does nothing if the backend has no device; without room (a dry run elsewhere) the plan is
/// for devices that are large enough.
void choose_device_work(const comm::Communicator& world, JobPlan& plan, int rank);

}  // namespace armilla::job
