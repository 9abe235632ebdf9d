#pragma once

#include <armilla/backend/child_check.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/doctor/report.hpp>

#include <string>

namespace armilla::doctor {

/// What is examined besides the ranks themselves.
struct Options {
  std::string folder = ".";                ///< whose file system is tried
  backend::CheckMethod device_check = {};  ///< how devices are checked; by default in this process
};

/// Collective. Examines ranks, nodes, binding, MPI, devices, the file system of a folder, and the arithmetic of a small
/// transform. Leaves no file behind. What is wrong becomes a finding: only errors of the run itself, such as a signal,
/// are thrown, on all ranks alike.
Report examine(const comm::Communicator& world, const Options& options);

}  // namespace armilla::doctor
