#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace armilla::backend {

/// A GPU that this process sees.
struct Device {
  std::string name = {};
  std::string uuid = {};    ///< in hexadecimal digits; of a MIG instance, its own
  std::string driver = {};  ///< versions of the driver in use
  int compute_major = 0;
  int compute_minor = 0;
  std::int64_t memory_bytes = 0;
  int single_to_double = 0;  ///< times as many operations per second in FP32 as in FP64
};

/// Whether a GPU is fast in FP64, in which transforms of either precision do most of their work. GPUs for data centres
/// have half the rate of FP32, most others 1/32 or 1/64, which a few cores of a CPU have too.
constexpr bool has_fast_doubles(const Device& device) {
  constexpr int kMax = 4;
  return device.single_to_double > 0 && device.single_to_double <= kMax;
}

/// GPUs that CUDA shows to this process; none in a build without CUDA (backend/no_cuda) or without a driver. Makes no
/// context on them.
std::vector<Device> visible_devices();

/// Why CUDA shows no GPU though there is a driver, such as one that is too old; empty where it shows one, where there
/// is no driver, and in a build without CUDA.
std::string why_no_devices();

/// The largest number of bytes in arrays that this process had on its device, from its start or from
/// forget_device_peak() on. What CUDA itself takes is not counted.
std::int64_t peak_device_bytes();
void forget_device_peak();

}  // namespace armilla::backend
