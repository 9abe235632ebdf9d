#pragma once

#include <cstddef>

namespace armilla::core {

/// Size of the pages that large memory is aligned to.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// What counts as large, in bytes.
inline constexpr std::size_t kLargeMemory = 2 * kHugePage;

/// `bytes` >= kLargeMemory of host memory, not initialised, aligned to kHugePage and advised to be backed by huge
/// pages; what is resident is not more than without. Throws std::bad_alloc where they cannot be had. From any thread.
void* take_large_memory(std::size_t bytes);

/// Gives back what take_large_memory(bytes) gave. From any thread.
void give_back_large_memory(void* memory, std::size_t bytes) noexcept;

/// While one lives, large memory that is given back is kept for whoever takes as many bytes next: the system clears
/// every fresh page, which took a quarter of the processor time of a job of many batches. All that is taken or kept at
/// any time is at most what would have been taken at some time since the scope began without keeping any: the peak of
/// a process does not grow. Scopes may be nested; the last to end frees what is kept.
class KeepLargeMemory {
 public:
  KeepLargeMemory();
  ~KeepLargeMemory();
  KeepLargeMemory(const KeepLargeMemory&) = delete;
  KeepLargeMemory& operator=(const KeepLargeMemory&) = delete;
};

/// Bytes of large memory taken, and kept, by the whole process.
struct LargeMemoryUse {
  std::size_t taken = 0;
  std::size_t kept = 0;
};
LargeMemoryUse large_memory_use();

/// Has the C library return large arrays, those of other containers too, to the system as soon as they are freed, all
/// the time: else it keeps those of up to 32 MiB once it has seen as large ones, and batches take more memory than was
/// announced. No effect on other C libraries than glibc. To be called before any are allocated.
void return_freed_memory() noexcept;

}  // namespace armilla::core
