#include <armilla/core/huge_pages.hpp>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace armilla::core {

void advise_huge_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  // A refusal leaves small pages.
  static_cast<void>(madvise(begin, bytes / kHugePage * kHugePage, MADV_HUGEPAGE));
#endif
}

void return_freed_memory() noexcept {
#ifdef M_MMAP_THRESHOLD
  static_cast<void>(mallopt(M_MMAP_THRESHOLD, static_cast<int>(2 * kHugePage)));
#endif
}

}  // namespace armilla::core
