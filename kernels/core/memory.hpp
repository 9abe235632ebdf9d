#pragma once

#include <armilla/core/types.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include <kernels/core/stream.hpp>

namespace armilla::kernels {

using core::Index;

namespace detail {

struct FreeDevice {
  std::size_t bytes = 0;
  void operator()(void* pointer) const;
};
struct FreePinned {
  std::size_t bytes = 0;
  void operator()(void* pointer) const;
};
void* allocate_device(std::size_t bytes);
void* allocate_pinned(std::size_t bytes);
void copy(void* to, const void* from, std::size_t bytes, StreamHandle stream);
void fill_zero(void* to, std::size_t bytes, StreamHandle stream);

/// `count` values of a trivial type; move only, not initialised.
template <class T, void* (*allocate)(std::size_t), class Free>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(Index count) : count_(count) {
    const std::size_t bytes = static_cast<std::size_t>(std::max<Index>(count, 0)) * sizeof(T);
    if (bytes > 0) data_ = std::unique_ptr<T, Free>(static_cast<T*>(allocate(bytes)), Free{bytes});
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  Index size() const { return count_; }

 private:
  std::unique_ptr<T, Free> data_;
  Index count_ = 0;
};

}  // namespace detail

/// On the current device. Throws ResourceError where the device has too little.
template <class T>
using DeviceBuffer = detail::Buffer<T, detail::allocate_device, detail::FreeDevice>;

/// On the host, in pages that do not move: copies to and from the device run at full speed, beside other work.
template <class T>
using PinnedBuffer = detail::Buffer<T, detail::allocate_pinned, detail::FreePinned>;

/// Copies `count` values in the order of the stream, between host and device in any direction. The host must leave both
/// alone until the stream has come there.
template <class T>
void copy(T* to, const T* from, Index count, const Stream& stream) {
  detail::copy(to, from, static_cast<std::size_t>(count) * sizeof(T), stream.get());
}

/// Sets `count` values to zero bytes in the order of the stream.
template <class T>
void fill_zero(T* to, Index count, const Stream& stream) {
  detail::fill_zero(to, static_cast<std::size_t>(count) * sizeof(T), stream.get());
}

/// A table of the host on the current device. Waits until it is there.
template <class T>
DeviceBuffer<T> upload(std::span<const T> table, const Stream& stream) {
  DeviceBuffer<T> buffer(static_cast<Index>(table.size()));
  copy(buffer.data(), table.data(), buffer.size(), stream);
  stream.wait();
  return buffer;
}

}  // namespace armilla::kernels
