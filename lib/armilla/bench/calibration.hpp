#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/cost/rates.hpp>

#include <functional>
#include <string>

namespace armilla::bench {

/// Options of a calibration.
struct CalibrationOptions {
  std::string folder = ".";  ///< where files are written and read; on the file system used by jobs
  std::function<void(const std::string& what)> tell = {};  ///< called on the root before each part
};

/// Collective. Measures the rates of cost::Kernel in about a minute. Ranks compute independently but simultaneously, so
/// that they share caches and memory as in a run. Exchanges and files are measured for all ranks together. The result
/// is the same on all ranks. Files of up to 120 MB are written to the folder and removed. Throws InputError if the
/// folder is not writable.
cost::RateSet calibrate(const comm::Communicator& comm, const CalibrationOptions& options);

}  // namespace armilla::bench
