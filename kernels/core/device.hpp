#pragma once

#include <armilla/core/types.hpp>

#include <string>
#include <vector>

namespace armilla::kernels {

using core::Index;

/// Properties of a device, as reported by CUDA.
struct DeviceProperties {
  std::string name;
  std::string uuid;  ///< in hexadecimal digits; for a MIG instance, its own
  int compute_major = 0;
  int compute_minor = 0;
  Index memory_bytes = 0;
  int multiprocessors = 0;
  int single_to_double = 0;  ///< ratio of FP32 to FP64 operations per second
};

/// The devices visible to this process, by index; none without a driver. Creates no context on them, so a device in
/// exclusive mode stays free for other processes. Throws ResourceError if CUDA lists a device but does not describe it.
std::vector<DeviceProperties> devices();

/// Why there are no devices although there is a driver, for example one that is too old; empty if there are some, or no
/// driver.
std::string why_no_devices();

/// Makes device `index` (0 .. number of devices - 1) the current one of the calling thread.
void set_device(int index);
/// The device selected by the calling thread; initially 0.
int current_device();

/// Waits for all work that this process has started on a device, also that of other libraries.
void wait_for_device(int index);

/// Whether the tensor cores of the current device have twice the FP64 rate of its CUDA cores: compute capability 8.0
/// and 9.0. With 10.0 both rates are equal; other devices have almost no FP64 tensor throughput.
bool has_tensor_cores();

/// Memory of the current device in bytes: what this process can still allocate, and the total.
struct DeviceMemory {
  Index free;
  Index total;
};
DeviceMemory device_memory();

/// Bytes of this process in DeviceBuffers: the present value, and the peak since the start or since forget_peak().
/// Memory used by CUDA and cuFFT themselves is not included.
struct DeviceUsage {
  Index held;
  Index peak;
};
DeviceUsage device_usage();
void forget_peak();

/// Limits the DeviceBuffers of this process to `bytes`, as if the device had no more memory; a negative number removes
/// the limit. For tests.
void limit_device_memory(Index bytes);

}  // namespace armilla::kernels
