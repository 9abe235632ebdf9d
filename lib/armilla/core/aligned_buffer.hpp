#pragma once

#include <armilla/core/types.hpp>

#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace armilla::core {

/// Host memory for `count` values of a trivial type, aligned to 64 bytes and not initialised; move only.
/// The pages are first touched by whoever writes them. Throws std::bad_alloc where the memory cannot be had.
template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(Index count) : count_(count) {
    if (count == 0) return;
    const std::size_t bytes = (static_cast<std::size_t>(count) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    data_.reset(static_cast<T*>(std::aligned_alloc(kAlignment, bytes)));
    if (!data_) throw std::bad_alloc();
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  Index size() const { return count_; }
  std::span<T> span() { return {data_.get(), static_cast<std::size_t>(count_)}; }
  std::span<const T> span() const { return {data_.get(), static_cast<std::size_t>(count_)}; }

 private:
  static constexpr std::size_t kAlignment = 64;
  struct Free {
    void operator()(T* pointer) const { std::free(pointer); }
  };
  std::unique_ptr<T, Free> data_;
  Index count_ = 0;
};

}  // namespace armilla::core
