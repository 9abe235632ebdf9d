#pragma once

#include <armilla/core/types.hpp>

#include <string>
#include <vector>

namespace armilla::kernels {

using core::Index;

/// What CUDA says of a device.
struct DeviceProperties {
  std::string name;
  std::string uuid;  ///< in hexadecimal digits; of a MIG instance, its own
  int compute_major = 0;
  int compute_minor = 0;
  Index memory_bytes = 0;
  int multiprocessors = 0;
  int single_to_double = 0;  ///< times as many operations per second in FP32 as in FP64
};

/// The devices that this process sees, by their index; none where there is no driver. Makes no context on them, so a
/// device in exclusive mode stays free for other processes. Throws ResourceError where CUDA lists a device and refuses
/// to describe it.
std::vector<DeviceProperties> devices();

/// Why there are no devices though there is a driver, such as one that is too old; empty where there are some, or no
/// driver.
std::string why_no_devices();

/// The versions of CUDA's driver and of the kernel module in use; empty where there is no driver.
std::string driver_version();

/// Makes device `index` (0 .. number of devices - 1) the current one of the calling thread.
void set_device(int index);
/// The device that the calling thread has chosen; 0 at first.
int current_device();

/// Whether the current device multiplies in FP64 at twice the rate of its CUDA cores on tensor cores: compute
/// capability 8.0 and 9.0. With 10.0 both have one rate, and others have next to none.
bool has_tensor_cores();

/// Memory of the current device, in bytes: what this process can still have, and all of it.
struct DeviceMemory {
  Index free;
  Index total;
};
DeviceMemory device_memory();

/// What this process has in DeviceBuffers now, in bytes, and the most that it ever had, or had since forget_peak().
/// What CUDA and cuFFT take for themselves is not among it.
struct DeviceUsage {
  Index held;
  Index peak;
};
DeviceUsage device_usage();
void forget_peak();

/// From now on this process gets no more than `bytes` into DeviceBuffers, as if the device had no more; a negative
/// number lifts the limit. For tests.
void limit_device_memory(Index bytes);

}  // namespace armilla::kernels
