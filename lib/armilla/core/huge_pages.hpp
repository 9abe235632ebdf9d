#pragma once

#include <cstddef>

namespace armilla::core {

/// Size of the pages that large buffers are aligned to.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Asks the system to back the whole huge pages of `begin` .. `begin` + `bytes` - 1 as such; `begin` is a multiple of
/// kHugePage. No effect where the system does not offer it; what is resident is not more than without.
void advise_huge_pages(void* begin, std::size_t bytes) noexcept;

/// Has large arrays returned to the system as soon as they are freed, all the time: the C library otherwise keeps those
/// of up to 32 MiB once it has seen as large ones, and batches take more memory than was announced. No effect on other C
/// libraries than glibc. To be called before any are allocated.
void return_freed_memory() noexcept;

}  // namespace armilla::core
