#pragma once

#include <cstddef>

namespace armilla::core {

/// Size of the pages that large buffers are aligned to.
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Asks the system to back the whole huge pages of `begin` .. `begin` + `bytes` - 1 as such; `begin` is a multiple of
/// kHugePage. No effect where the system does not offer it; what is resident is not more than without.
void advise_huge_pages(void* begin, std::size_t bytes) noexcept;

}  // namespace armilla::core
