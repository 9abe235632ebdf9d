#include <armilla/core/error.hpp>
#include <armilla/core/host_device.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <kernels/core/arena_emulated.hpp>
#include <kernels/core/device.hpp>
#include <kernels/core/device_account.hpp>
#include <kernels/core/emulated_stream.hpp>
#include <kernels/core/emulation.hpp>
#include <kernels/core/memory.hpp>
#include <kernels/core/poison.hpp>

namespace armilla::kernels::detail {

namespace {

constexpr std::size_t kAlignment = 256;

// Pinned host memory. Copies from it are executed when the stream reaches them; copies from other host memory are
// executed immediately.
class PinnedBlocks {
 public:
  static PinnedBlocks& get() {
    static auto* blocks = new PinnedBlocks;
    return *blocks;
  }
  void add(const void* begin, std::size_t bytes) {
    const std::lock_guard guard(lock_);
    blocks_[begin] = bytes;
  }
  void remove(const void* begin) {
    const std::lock_guard guard(lock_);
    blocks_.erase(begin);
  }
  bool contain(const void* address) {
    const std::lock_guard guard(lock_);
    const auto next = blocks_.upper_bound(address);
    if (next == blocks_.begin()) return false;
    const auto& [begin, bytes] = *std::prev(next);
    return address < static_cast<const char*>(begin) + bytes;
  }

 private:
  std::mutex lock_;
  std::map<const void*, std::size_t> blocks_;
};

}  // namespace

void FreeDevice::operator()(void* pointer) const {
  set_device(device);
  finish_all_streams();
  EmulatedArena::get().release(pointer);
  device_account().give_back(bytes);
}
void FreePinned::operator()(void* pointer) const {
  set_device(device);
  finish_all_streams();
  PinnedBlocks::get().remove(pointer);
  std::free(pointer);
}

void* allocate_device(std::size_t bytes) {
  refuse_while_recording("GPU memory allocation");
  const DeviceMemory memory = device_memory();
  if (bytes > static_cast<std::size_t>(std::max<Index>(memory.free, 0)))
    throw core::ResourceError(
        fmt::format("CUDA: GPU memory allocation of {} bytes failed: the emulated device has {}", bytes, memory.free));
  device_account().take(bytes);
  try {
    return EmulatedArena::get().allocate(bytes, current_device());
  } catch (...) {
    device_account().give_back(bytes);
    throw;
  }
}
void* allocate_pinned(std::size_t bytes) {
  void* pointer = nullptr;
  if (posix_memalign(&pointer, kAlignment, bytes) != 0) throw std::bad_alloc();
  PinnedBlocks::get().add(pointer, bytes);
  return std::memset(pointer, kPoisonByte, bytes);
}

void copy_to_device(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  set_device(stream.device());
  refuse_while_recording("copying to the GPU");
  emulation().copied += bytes;
  if (bytes == 0) return;
  if (PinnedBlocks::get().contain(from))
    return enqueue(stream.get(), [=] { std::memcpy(core::readable(to), from, bytes); });
  const auto* begin = static_cast<const char*>(from);
  enqueue(stream.get(), [to, values = std::vector<char>(begin, begin + bytes)] {
    std::memcpy(core::readable(to), values.data(), values.size());
  });
}

// The values must not be read before the stream has executed this copy.
void copy_to_host(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  set_device(stream.device());
  refuse_while_recording("copying from the GPU");
  emulation().copied += bytes;
  if (bytes == 0) return;
  std::memset(to, kPoisonByte, bytes);
  enqueue(stream.get(), [=] { std::memcpy(to, core::readable(from), bytes); });
}

void copy_on_device(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  set_device(stream.device());
  emulation().copied += bytes;
  if (bytes > 0) enqueue(stream.get(), [=] { std::memcpy(core::readable(to), core::readable(from), bytes); });
}

void fill_zero(void* to, std::size_t bytes, const Stream& stream) {
  set_device(stream.device());
  if (bytes > 0) enqueue(stream.get(), [=] { std::memset(core::readable(to), 0, bytes); });
}

}  // namespace armilla::kernels::detail

namespace armilla::kernels {

int device_of(const void* address) { return EmulatedArena::get().device_of(address); }

}  // namespace armilla::kernels
