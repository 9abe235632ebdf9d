#pragma once

#include <armilla/core/types.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include <kernels/core/device.hpp>
#include <kernels/core/device_pointer.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::kernels {

namespace detail {

/// Memory is released on the device on which it was allocated, by any thread.
struct FreeDevice {
  std::size_t bytes = 0;
  int device = 0;
  void operator()(void* pointer) const;
};
struct FreePinned {
  int device = 0;
  void operator()(void* pointer) const;
};
void* allocate_device(std::size_t bytes);
void* allocate_pinned(std::size_t bytes);

/// Copies in stream order; the device of the stream becomes the current device of the thread.
void copy_to_device(void* to, const void* from, std::size_t bytes, const Stream& stream);
void copy_to_host(void* to, const void* from, std::size_t bytes, const Stream& stream);
void copy_on_device(void* to, const void* from, std::size_t bytes, const Stream& stream);
void fill_zero(void* to, std::size_t bytes, const Stream& stream);

template <class T>
constexpr std::size_t bytes_of(Index count) {
  static_assert(std::is_trivially_copyable_v<T>);
  return static_cast<std::size_t>(std::max<Index>(count, 0)) * sizeof(T);
}

}  // namespace detail

/// The device whose memory has an address of the program; -1 for other addresses, also of pinned host memory.
int device_of(const void* address);

/// `count` values of a trivial type on the current device; move only, not initialised. Throws ResourceError if the
/// device has too little memory. May be destroyed by another thread.
template <class T>
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(Index count) : count_(count) {
    const std::size_t bytes = detail::bytes_of<T>(count);
    const int device = current_device();
    if (bytes > 0) data_ = {static_cast<T*>(detail::allocate_device(bytes)), detail::FreeDevice{bytes, device}};
  }

  DevicePointer<T> data() { return DevicePointer<T>(data_.get()); }
  DevicePointer<const T> data() const { return DevicePointer<const T>(data_.get()); }
  Index size() const { return count_; }

 private:
  std::unique_ptr<T, detail::FreeDevice> data_;
  Index count_ = 0;
};

/// `count` values in pinned host memory, otherwise like DeviceBuffer: copies to and from the device run at full speed,
/// concurrently with other work.
template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(Index count) : count_(count) {
    const std::size_t bytes = detail::bytes_of<T>(count);
    const int device = current_device();
    if (bytes > 0) data_ = {static_cast<T*>(detail::allocate_pinned(bytes)), detail::FreePinned{device}};
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  Index size() const { return count_; }

 private:
  std::unique_ptr<T, detail::FreePinned> data_;
  Index count_ = 0;
};

/// Copies `count` values in stream order, between host and device or on the device. Host values must not be modified or
/// read until the copy has completed.
template <class T>
void copy(DevicePointer<T> to, const T* from, Index count, const Stream& stream) {
  detail::copy_to_device(to.address(), from, detail::bytes_of<T>(count), stream);
}
template <class T, class From>
requires std::is_same_v<const T, const From>
void copy(T* to, DevicePointer<From> from, Index count, const Stream& stream) {
  detail::copy_to_host(to, from.address(), detail::bytes_of<T>(count), stream);
}
template <class T, class From>
requires std::is_same_v<const T, const From>
void copy(DevicePointer<T> to, DevicePointer<From> from, Index count, const Stream& stream) {
  detail::copy_on_device(to.address(), from.address(), detail::bytes_of<T>(count), stream);
}

/// Sets `count` values to zero bytes in stream order.
template <class T>
void fill_zero(DevicePointer<T> to, Index count, const Stream& stream) {
  detail::fill_zero(to.address(), detail::bytes_of<T>(count), stream);
}

/// Copies a host table to the current device, and waits for the copy.
template <class T>
DeviceBuffer<T> upload(std::span<const T> table, const Stream& stream) {
  DeviceBuffer<T> buffer(static_cast<Index>(table.size()));
  copy(buffer.data(), table.data(), buffer.size(), stream);
  stream.wait();
  return buffer;
}

}  // namespace armilla::kernels
