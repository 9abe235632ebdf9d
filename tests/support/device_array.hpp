#pragma once

#include <armilla/core/types.hpp>

#include <optional>
#include <span>
#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::test {

/// An array of a program on a device.
template <class Value>
class DeviceArray {
 public:
  DeviceArray(int device, std::span<const Value> values) {
    kernels::set_device(device);
    stream_.emplace();
    buffer_ = kernels::DeviceBuffer<Value>(static_cast<core::Index>(values.size()));
    assign(values);
  }
  DeviceArray(int device, std::size_t size) : DeviceArray(device, std::vector<Value>(size)) {}

  Value* data() { return buffer_.data().address(); }
  std::size_t size() const { return static_cast<std::size_t>(buffer_.size()); }
  void assign(std::span<const Value> values) {
    kernels::copy(buffer_.data(), values.data(), buffer_.size(), *stream_);
    stream_->wait();
  }
  std::vector<Value> values() const { return values_at(buffer_.data().address()); }
  /// As many values at another address of the device.
  std::vector<Value> values_at(const Value* address) const {
    std::vector<Value> values(size());
    kernels::copy(values.data(), kernels::DevicePointer<const Value>(address), buffer_.size(), *stream_);
    stream_->wait();
    return values;
  }

 private:
  std::optional<kernels::Stream> stream_;
  kernels::DeviceBuffer<Value> buffer_;
};

}  // namespace armilla::test
