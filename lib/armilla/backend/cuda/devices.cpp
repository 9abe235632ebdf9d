#include <armilla/backend/devices.hpp>

#include <kernels/core/device.hpp>

namespace armilla::backend {

std::vector<Device> visible_devices() {
  const std::string driver = kernels::driver_version();
  std::vector<Device> devices;
  for (const kernels::DeviceProperties& device : kernels::devices())
    devices.push_back({device.name, device.uuid, driver, device.compute_major, device.compute_minor,
                       device.memory_bytes, device.single_to_double});
  return devices;
}

std::string why_no_devices() { return kernels::why_no_devices(); }

std::int64_t peak_device_bytes() { return kernels::device_usage().peak; }
void forget_device_peak() { kernels::forget_peak(); }

}  // namespace armilla::backend
