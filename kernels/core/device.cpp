#include <kernels/core/check.hpp>
#include <kernels/core/device.hpp>

namespace armilla::kernels {

std::vector<DeviceProperties> devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return {};  // no driver or no device: as good as none
  std::vector<DeviceProperties> devices;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    devices.push_back({.name = properties.name,
                       .compute_major = properties.major,
                       .compute_minor = properties.minor,
                       .memory_bytes = static_cast<Index>(properties.totalGlobalMem),
                       .multiprocessors = properties.multiProcessorCount});
  }
  return devices;
}

void set_device(int index) { check(cudaSetDevice(index), "choosing the device"); }

DeviceMemory device_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the free memory");
  return {static_cast<Index>(free), static_cast<Index>(total)};
}

}  // namespace armilla::kernels
