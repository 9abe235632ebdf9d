// The emulated device: the host itself, one thread after another. For tests on machines without a GPU.
#include <algorithm>

#include <kernels/core/device.hpp>
#include <kernels/core/device_account.hpp>
#include <kernels/core/emulation.hpp>

namespace armilla::kernels {

namespace {

constexpr Index kMemory = Index{2} << 30;

thread_local int chosen_device = 0;

}  // namespace

Emulation& emulation() {
  static Emulation settings;
  return settings;
}

std::vector<DeviceProperties> devices() {
  if (!emulation().visible) return {};
  const DeviceProperties properties{.name = "emulated",
                                    .compute_major = 0,
                                    .compute_minor = 0,
                                    .memory_bytes = kMemory,
                                    .multiprocessors = 4,
                                    .single_to_double = emulation().single_to_double};
  return std::vector<DeviceProperties>(static_cast<std::size_t>(emulation().devices), properties);
}

void set_device(int index) { chosen_device = index; }
int current_device() { return chosen_device; }

bool has_tensor_cores() { return true; }

DeviceMemory device_memory() {
  auto& account = detail::device_account();
  return {account.within_limit(std::max<Index>(0, kMemory - account.usage().held)), kMemory};
}

DeviceUsage device_usage() { return detail::device_account().usage(); }
void forget_peak() { detail::device_account().forget_peak(); }
void limit_device_memory(Index bytes) { detail::device_account().limit(bytes); }

}  // namespace armilla::kernels
