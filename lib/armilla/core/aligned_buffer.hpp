#pragma once

#include <armilla/core/large_memory.hpp>
#include <armilla/core/types.hpp>

#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace armilla::core {

/// Host memory for `count` values of a trivial type, aligned to 64 bytes and not initialised; move only. Sizes of at
/// least kLargeMemory are aligned to 2 MiB and use huge pages if possible, because stages read Delta with strides of
/// many pages; KeepLargeMemory reuses such memory. Fresh pages are first touched by the thread that writes them. Throws
/// std::bad_alloc if memory is insufficient.
template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(Index count) : count_(count) {
    if (count == 0) return;
    const std::size_t bytes = (static_cast<std::size_t>(count) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    void* memory = nullptr;
    if (bytes >= kLargeMemory)
      memory = take_large_memory(bytes);
    else if (posix_memalign(&memory, kAlignment, bytes) != 0)
      throw std::bad_alloc();
    data_ = {static_cast<T*>(memory), Free{bytes}};
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  Index size() const { return count_; }
  std::span<T> span() { return {data_.get(), static_cast<std::size_t>(count_)}; }
  std::span<const T> span() const { return {data_.get(), static_cast<std::size_t>(count_)}; }

 private:
  static constexpr std::size_t kAlignment = 64;
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* pointer) const {
      if (bytes >= kLargeMemory)
        give_back_large_memory(pointer, bytes);
      else
        std::free(pointer);
    }
  };
  std::unique_ptr<T, Free> data_;
  Index count_ = 0;
};

}  // namespace armilla::core
