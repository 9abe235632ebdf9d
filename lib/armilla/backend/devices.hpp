#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace armilla::backend {

/// A GPU visible to this process.
struct Device {
  std::string name = {};
  std::string uuid = {};  ///< in hexadecimal digits; for a MIG instance, its own
  int compute_major = 0;
  int compute_minor = 0;
  std::int64_t memory_bytes = 0;
  int single_to_double = 0;  ///< ratio of FP32 to FP64 operations per second
};

/// Whether a GPU is fast in FP64, which transforms of either precision use for most of their work. Data-centre GPUs
/// have half the FP32 rate. Most others have 1/32 or 1/64, which a few CPU cores also reach.
constexpr bool has_fast_doubles(const Device& device) {
  constexpr int kMax = 4;
  return device.single_to_double > 0 && device.single_to_double <= kMax;
}

/// GPUs that CUDA reports to this process; none in a build without CUDA (backend/no_cuda) or without a driver. Creates
/// no context on them.
std::vector<Device> visible_devices();

/// Why CUDA reports no GPU although there is a driver, for example one that is too old. Empty if it reports one, if
/// there is no driver, and in a build without CUDA.
std::string why_no_devices();

/// Waits until all work on a GPU of this process, of whatever library, has ended. Throws ResourceError. Without CUDA
/// there is none.
void wait_for_device(int index);

/// The peak number of bytes in arrays of this process on its device, since its start or since forget_device_peak().
/// Memory used by CUDA itself is not counted.
std::int64_t peak_device_bytes();
void forget_device_peak();

}  // namespace armilla::backend
