#pragma once

#include <armilla/backend/child_check.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/doctor/report.hpp>

#include <string>
#include <vector>

namespace armilla::doctor {

/// Collective; requires a device on each rank. Checks the devices of all ranks (transform::try_devices). If MPI reports
/// support for device memory (comm::takes_device_memory), also checks an exchange between devices, value by value.
/// Otherwise the exchange is not tested, because a library without support would crash; Armilla then exchanges through
/// the host. Returns the message of the device check; adds findings.
std::string examine_devices(const comm::Communicator& world, const backend::CheckMethod& method, MpiFacts& mpi,
                            std::vector<Finding>& findings);

}  // namespace armilla::doctor
