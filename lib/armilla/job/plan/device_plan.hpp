#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/plan/plan.hpp>

namespace armilla::job {

/// Collective over all ranks; each passes the plan of its own group and its `rank` in it. Chooses the workspace of all
/// transforms of the job on devices. Throws ResourceError, with the required size and advice, if a device is too small.
/// Does nothing if the backend has no device. If device memory is unknown (a dry run elsewhere), the plan assumes
/// sufficiently large devices.
void choose_device_work(const comm::Communicator& world, JobPlan& plan, int rank);

}  // namespace armilla::job
