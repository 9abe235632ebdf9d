#include <armilla/backend/devices.hpp>

#include <cuda_runtime_api.h>

namespace armilla::backend {

std::vector<Device> visible_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return {};  // no driver or no device: as good as none
  std::vector<Device> devices;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) continue;
    devices.push_back(
        {properties.name, properties.major, properties.minor, static_cast<std::int64_t>(properties.totalGlobalMem)});
  }
  return devices;
}

}  // namespace armilla::backend
