#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/cost/rates.hpp>

#include <functional>
#include <string>

namespace armilla::bench {

/// What a calibration needs to know.
struct CalibrationOptions {
  std::string folder = ".";  ///< where files are written and read, on the file system of jobs
  std::function<void(const std::string& what)> tell = {};  ///< on the root, before each part
};

/// Collective. Measures the rates of cost::Kernel in about a minute: ranks compute alone, all at the same time, so that
/// they share caches and memory as in a run; exchanges and files are those of all ranks together. The same on all
/// ranks. Files of up to 120 MB are written into the folder and removed. Throws InputError where it cannot be written.
cost::RateSet calibrate(const comm::Communicator& comm, const CalibrationOptions& options);

}  // namespace armilla::bench
