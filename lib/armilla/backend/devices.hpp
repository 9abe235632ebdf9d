#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace armilla::backend {

/// A GPU that this process sees.
struct Device {
  std::string name;
  int compute_major = 0;
  int compute_minor = 0;
  std::int64_t memory_bytes = 0;
};

/// GPUs that CUDA shows to this process; none in a build without CUDA (cuda_absent.cpp) or without a driver.
std::vector<Device> visible_devices();

/// The most bytes of arrays that this process ever had on its device; what CUDA itself takes is not among them.
std::int64_t peak_device_bytes();

}  // namespace armilla::backend
