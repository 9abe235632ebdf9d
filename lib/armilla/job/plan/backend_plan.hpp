#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/plan/plan.hpp>

#include <string>

namespace armilla::job {

/// Collective. Replaces execution.backend = auto by a backend, in the spec and all transforms of a plan, and records
/// the reason in plan.backend (transform::choose_backend). A plan without steps that can use a device uses the CPU, and
/// no device is accessed; the same applies to a plan with a CPU engine.
void choose_backend(const comm::Communicator& comm, JobPlan& plan);

/// Not collective. Plans all steps for a backend with devices (StepResources::plan_for_device).
void plan_for_device(JobPlan& plan);

/// Collective. Before a run: tests the devices of a backend specified in the job, if the plan can use them. Throws
/// ResourceError if a device cannot be used or computes wrongly. A backend chosen for "auto" has already been tested.
void try_backend(const comm::Communicator& comm, JobPlan& plan);

/// Changes a plan that "auto" made for devices to CPUs; `why` is the text of a warning.
void fall_back_to_cpu(JobPlan& plan, const std::string& why);

/// Result of the device tests, one human-readable line.
std::string check_text(const transform::DeviceTrial& trial);

}  // namespace armilla::job
