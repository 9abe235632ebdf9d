#pragma once

#include <armilla/core/huge_pages.hpp>
#include <armilla/core/types.hpp>

#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace armilla::core {

/// Host memory for `count` values of a trivial type, aligned to 64 bytes and not initialised; move only.
/// From 4 MiB on it is aligned to 2 MiB and asks for huge pages: stages read Delta with strides of many pages.
/// The pages are first touched by whoever writes them. Throws std::bad_alloc where the memory cannot be had.
template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(Index count) : count_(count) {
    if (count == 0) return;
    const std::size_t bytes = (static_cast<std::size_t>(count) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    const bool large = bytes >= kLarge;
    void* memory = nullptr;
    if (posix_memalign(&memory, large ? kHugePage : kAlignment, bytes) != 0) throw std::bad_alloc();
    data_.reset(static_cast<T*>(memory));
    if (large) advise_huge_pages(memory, bytes);
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  Index size() const { return count_; }
  std::span<T> span() { return {data_.get(), static_cast<std::size_t>(count_)}; }
  std::span<const T> span() const { return {data_.get(), static_cast<std::size_t>(count_)}; }

 private:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kLarge = 2 * kHugePage;
  struct Free {
    void operator()(T* pointer) const { std::free(pointer); }
  };
  std::unique_ptr<T, Free> data_;
  Index count_ = 0;
};

}  // namespace armilla::core
