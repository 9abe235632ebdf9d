#include <armilla/core/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <kernels/core/device.hpp>
#include <kernels/core/device_account.hpp>
#include <kernels/core/emulation.hpp>
#include <kernels/core/memory.hpp>

namespace armilla::kernels::detail {

namespace {

// As aligned as cudaMalloc's, no larger than asked for, so that tools see who goes past the end, and full of what is
// not a number: nobody may read what was not written.
constexpr std::size_t kAlignment = 256;
constexpr int kPoison = 0xff;

void* allocate(std::size_t bytes) {
  void* pointer = nullptr;
  if (posix_memalign(&pointer, kAlignment, bytes) != 0) throw std::bad_alloc();
  return std::memset(pointer, kPoison, bytes);
}

}  // namespace

void FreeDevice::operator()(void* pointer) const {
  std::free(pointer);
  device_account().give_back(bytes);
}
void FreePinned::operator()(void* pointer) const { std::free(pointer); }

void* allocate_device(std::size_t bytes) {
  const DeviceMemory memory = device_memory();
  if (bytes > static_cast<std::size_t>(std::max<Index>(memory.free, 0)))
    throw core::ResourceError(
        fmt::format("CUDA: allocation on the GPU of {} bytes failed: the emulated device has {}", bytes, memory.free));
  device_account().take(bytes);
  return allocate(bytes);
}
void* allocate_pinned(std::size_t bytes) { return allocate(bytes); }

void copy(void* to, const void* from, std::size_t bytes, StreamHandle) {
  emulation().copied += bytes;
  if (bytes > 0) std::memcpy(to, from, bytes);
}

void fill_zero(void* to, std::size_t bytes, StreamHandle) {
  if (bytes > 0) std::memset(to, 0, bytes);
}

}  // namespace armilla::kernels::detail
