#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/plan/plan.hpp>

#include <string>

namespace armilla::job {

/// Collective. Puts the name of a backend in place of execution.backend = auto, in the spec and all transforms of a
/// plan, and says in plan.backend how it came to it (transform::choose_backend). A plan without transforms and without
/// convolutions by rings is for the CPU, and no device is touched; so is one with an engine of the CPU. `method`: where
/// devices are tried.
void choose_backend(const comm::Communicator& comm, JobPlan& plan, const backend::CheckMethod& method);

/// Collective. Before a run: has the devices of a backend that the job names tried, where the plan can use them.
/// Throws ResourceError if one cannot work or computes wrongly. What "auto" chose was tried before it was chosen.
/// Precedes everything that makes a context on a device: one in exclusive mode has no place for a second process.
void try_backend(const comm::Communicator& comm, JobPlan& plan, const backend::CheckMethod& method);

/// A plan that "auto" made for devices, for CPUs; `why`, in words for a warning.
void fall_back_to_cpu(JobPlan& plan, const std::string& why);

/// What trying devices showed, a line for people.
std::string check_text(const transform::DeviceTrial& trial);

/// What plan.backend has to say, into plan.warnings, and into the log of the root.
void tell_backend(const comm::Communicator& comm, JobPlan& plan);

}  // namespace armilla::job
