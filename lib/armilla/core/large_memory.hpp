#pragma once

#include <cstddef>

namespace armilla::core {

/// Page size to which large memory is aligned.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// Minimum size of large memory [bytes].
inline constexpr std::size_t kLargeMemory = 2 * kHugePage;

/// Allocates `bytes` >= kLargeMemory of host memory, not initialised, aligned to kHugePage, and advises the kernel to
/// use huge pages. This does not increase resident memory. Throws std::bad_alloc if memory is insufficient.
/// Thread-safe.
void* take_large_memory(std::size_t bytes);

/// Releases memory from take_large_memory(bytes). Thread-safe.
void give_back_large_memory(void* memory, std::size_t bytes) noexcept;

/// During its lifetime, released large memory is kept for the next request of the same size. Otherwise the system
/// clears every fresh page, which took 25% of the processor time of a job of many batches. The total of used and kept
/// memory never exceeds the peak, since the scope began, of what would be used without keeping any. The peak of a
/// process therefore does not grow. Scopes may be nested; the last to end frees the kept memory.
class KeepLargeMemory {
 public:
  KeepLargeMemory();
  ~KeepLargeMemory();
  KeepLargeMemory(const KeepLargeMemory&) = delete;
  KeepLargeMemory& operator=(const KeepLargeMemory&) = delete;
};

/// Bytes of large memory in use and kept by the whole process.
struct LargeMemoryUse {
  std::size_t taken = 0;
  std::size_t kept = 0;
};
LargeMemoryUse large_memory_use();

/// Makes the C library return large arrays, also those of other containers, to the system as soon as they are freed.
/// Otherwise it keeps arrays of up to 32 MiB after it has freed one of that size, and batches need more memory than
/// predicted. No effect on C libraries other than glibc. Call before any such array is allocated.
void return_freed_memory() noexcept;

}  // namespace armilla::core
