#include <armilla/core/large_memory.hpp>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <vector>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace armilla::core {

namespace {

void* fresh(std::size_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, kHugePage, bytes) != 0) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
  // On failure, small pages are used.
  static_cast<void>(madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE));
#endif
  return memory;
}

class Store {
 public:
  void* take(std::size_t bytes) {
    const std::lock_guard guard(lock_);
    // Uses the most recent piece first, because parts of it may still be cached.
    const auto found = std::find_if(kept_.rbegin(), kept_.rend(), [&](const Piece& p) { return p.bytes == bytes; });
    if (found != kept_.rend()) {
      void* memory = found->memory;
      kept_.erase(std::next(found).base());
      use_.kept -= bytes;
      use_.taken += bytes;
      return memory;
    }
    const std::size_t taken = use_.taken + bytes;
    free_down_to(std::max(peak_, taken) - taken);
    void* memory = fresh_instead_of_kept(bytes);
    use_.taken = taken;
    peak_ = std::max(peak_, taken);
    return memory;
  }

  void give_back(void* memory, std::size_t bytes) noexcept {
    const std::lock_guard guard(lock_);
    use_.taken -= bytes;
    if (keepers_ == 0 || !keep(memory, bytes)) std::free(memory);
  }

  void begin() {
    const std::lock_guard guard(lock_);
    if (keepers_++ == 0) peak_ = use_.taken;
  }

  void end() {
    const std::lock_guard guard(lock_);
    if (--keepers_ == 0) free_down_to(0);
  }

  LargeMemoryUse use() {
    const std::lock_guard guard(lock_);
    return use_;
  }

 private:
  struct Piece {
    void* memory;
    std::size_t bytes;
  };

  void* fresh_instead_of_kept(std::size_t bytes) {
    try {
      return fresh(bytes);
    } catch (const std::bad_alloc&) {
      free_down_to(0);
      return fresh(bytes);
    }
  }

  bool keep(void* memory, std::size_t bytes) noexcept {
    try {
      kept_.push_back({memory, bytes});
    } catch (const std::bad_alloc&) {
      return false;
    }
    use_.kept += bytes;
    return true;
  }

  /// Frees the oldest kept memory until at most `bytes` remain.
  void free_down_to(std::size_t bytes) {
    auto end = kept_.begin();
    for (; use_.kept > bytes; ++end) {
      std::free(end->memory);
      use_.kept -= end->bytes;
    }
    kept_.erase(kept_.begin(), end);
  }

  std::mutex lock_;
  std::vector<Piece> kept_;  // from the oldest to the newest
  LargeMemoryUse use_;
  std::size_t peak_ = 0;  // peak of memory in use since keeping began
  int keepers_ = 0;
};

/// Never destroyed, because buffers with static lifetime are released after it would have been.
Store& store() {
  static Store* const one = new Store;
  return *one;
}

}  // namespace

void* take_large_memory(std::size_t bytes) { return store().take(bytes); }

void give_back_large_memory(void* memory, std::size_t bytes) noexcept { store().give_back(memory, bytes); }

KeepLargeMemory::KeepLargeMemory() { store().begin(); }

KeepLargeMemory::~KeepLargeMemory() { store().end(); }

LargeMemoryUse large_memory_use() { return store().use(); }

void return_freed_memory() noexcept {
#ifdef M_MMAP_THRESHOLD
  static_cast<void>(mallopt(M_MMAP_THRESHOLD, static_cast<int>(kLargeMemory)));
#endif
}

}  // namespace armilla::core
