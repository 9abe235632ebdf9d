#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/doctor/report.hpp>

#include <string>
#include <vector>

namespace armilla::doctor {

/// Collective. All ranks write a map of 24 MiB in HDF5 to the folder, as jobs do; each rank reads back data of another
/// rank. Tests the locks that exclude concurrent runs, and those of HDF5, between the first and the last rank. Removes
/// its files. Problems are added to `findings`, identically on all ranks.
FileSystemFacts examine_folder(const comm::Communicator& world, const std::string& folder,
                               std::vector<Finding>& findings);

}  // namespace armilla::doctor
