#pragma once

#include <armilla/backend/child_check.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/doctor/report.hpp>

#include <string>
#include <vector>

namespace armilla::doctor {

/// Collective, where each rank has a device. Checks the devices of all ranks (transform::try_devices), and, where MPI
/// says that it takes device memory (comm::takes_device_memory), an exchange between devices, number by number. Where
/// MPI does not say so, nothing is tried, since a library that does not would crash: Armilla then exchanges by way of
/// the host. Returns what the check of devices says; adds findings.
std::string examine_devices(const comm::Communicator& world, const backend::CheckMethod& method, MpiFacts& mpi,
                            std::vector<Finding>& findings);

}  // namespace armilla::doctor
