#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/doctor/report.hpp>

#include <string>
#include <vector>

namespace armilla::doctor {

/// Collective. Writes a map of 24 MiB in HDF5 to the folder, as jobs do, by all ranks; each rank reads back what
/// another one wrote. Tries the locks that keep two runs apart, and those of HDF5, between the first and the last rank.
/// Removes its files. What is wrong is added to `findings` on all ranks alike.
FileSystemFacts examine_folder(const comm::Communicator& world, const std::string& folder,
                               std::vector<Finding>& findings);

}  // namespace armilla::doctor
