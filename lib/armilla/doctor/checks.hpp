#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/doctor/report.hpp>

#include <string>
#include <vector>

namespace armilla::doctor {

/// Collective; requires a device on each rank. Checks the devices of all ranks (transform::try_devices), and finds out
/// how they exchange (transform::choose_exchange_path). If MPI reports support for device memory
/// (comm::takes_device_memory), also checks an exchange by MPI between devices, value by value; a library without
/// support would crash. Returns the message of the device check; adds findings.
std::string examine_devices(const comm::Communicator& world, MpiFacts& mpi, std::vector<Finding>& findings);

/// Collective. All ranks write a map of 24 MiB in HDF5 to the folder, as jobs do; each rank reads back data of another
/// rank. Tests the locks that exclude concurrent runs, and those of HDF5, between the first and the last rank. Removes
/// its files. Problems are added to `findings`, identically on all ranks.
FileSystemFacts examine_folder(const comm::Communicator& world, const std::string& folder,
                               std::vector<Finding>& findings);

/// Collective. On a Gauss grid, where quadrature is exact, checks synthesis of T, E, B followed by quadrature, and the
/// map of Y_10 against sqrt(3 / 4 pi) cos(theta). It runs on CPUs in double precision; adds a finding if an error
/// exceeds the limit.
ArithmeticFacts examine_arithmetic(const comm::Communicator& world, std::vector<Finding>& findings);

}  // namespace armilla::doctor
