#pragma once

#include <armilla/core/types.hpp>

#include <string>
#include <vector>

namespace armilla::kernels {

using core::Index;

/// What CUDA says of a device.
struct DeviceProperties {
  std::string name;
  int compute_major = 0;
  int compute_minor = 0;
  Index memory_bytes = 0;
  int multiprocessors = 0;
};

/// The devices that this process sees, by their index; none where there is no driver.
std::vector<DeviceProperties> devices();

/// Makes device `index` (0 .. number of devices - 1) the current one of the calling thread.
void set_device(int index);

/// Memory of the current device, in bytes: what can still be had, and all of it.
struct DeviceMemory {
  Index free;
  Index total;
};
DeviceMemory device_memory();

}  // namespace armilla::kernels
