// The emulated device: the host itself, one thread after another. For tests on machines without a GPU.
#include <kernels/core/device.hpp>

namespace armilla::kernels {

namespace {

constexpr Index kMemory = Index{2} << 30;

}  // namespace

std::vector<DeviceProperties> devices() {
  return {{.name = "emulated", .compute_major = 0, .compute_minor = 0, .memory_bytes = kMemory, .multiprocessors = 4}};
}

void set_device(int) {}

DeviceMemory device_memory() { return {kMemory, kMemory}; }

}  // namespace armilla::kernels
