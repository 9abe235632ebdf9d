#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/doctor/report.hpp>

#include <string>

namespace armilla::doctor {

/// Options of examine().
struct Options {
  std::string folder = ".";  ///< whose file system is tested
};

/// Collective. Examines ranks, nodes, binding, MPI, devices, the file system of a folder, and the arithmetic of a small
/// transform. Leaves no files. Problems are reported as findings. Only errors of the run itself, such as a signal, are
/// thrown, identically on all ranks.
Report examine(const comm::Communicator& world, const Options& options);

}  // namespace armilla::doctor
