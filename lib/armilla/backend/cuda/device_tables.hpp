#pragma once

#include <armilla/backend/array_size.hpp>
#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>

#include <memory>
#include <ranges>
#include <span>
#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// Copies of host tables on the current device, with the lifetime of this object. Copies are complete when calls
/// return. Throws ResourceError if they do not fit.
class DeviceTables {
 public:
  /// A contiguous table in its own array.
  template <class Table>
  auto add(const Table& table, const kernels::Stream& stream) {
    using Number = std::ranges::range_value_t<Table>;
    const auto buffer =
        std::make_shared<const kernels::DeviceBuffer<Number>>(kernels::upload<Number>(std::span(table), stream));
    buffers_.push_back(buffer);
    return buffer->data();
  }

  /// Like add(). Throws InternalError for a table longer than its announced size.
  template <class Number, class Table>
  auto add(const ArraySize<Number>& size, const Table& table, const kernels::Stream& stream) {
    const std::span<const Number> numbers(table);
    if (static_cast<core::Index>(numbers.size()) > size.count)
      throw core::InternalError("a table for a device is longer than its size");
    return add(numbers, stream);
  }

  /// Copies all tables of make(add), of 8-byte values, one after the other into one array, because kernels read beyond
  /// the end of some and discard the result. make() is called twice. The second call gets the final pointers, and its
  /// result is returned.
  template <class Make>
  auto add_packed(const Make& make, const kernels::Stream& stream) {
    std::vector<char> packed;
    make([&](const auto& table) {
      const auto bytes = std::as_bytes(std::span(table));
      const auto* first = reinterpret_cast<const char*>(bytes.data());
      packed.insert(packed.end(), first, first + bytes.size());
      return pointer_to(table, kernels::DevicePointer(first));
    });
    kernels::DevicePointer<const char> next = add(packed, stream);
    return make([&](const auto& table) {
      const kernels::DevicePointer<const char> begin = next;
      next += static_cast<core::Index>(std::as_bytes(std::span(table)).size());
      return pointer_to(table, begin);
    });
  }

 private:
  template <class Table>
  static auto pointer_to(const Table&, kernels::DevicePointer<const char> begin) {
    using Number = std::ranges::range_value_t<Table>;
    static_assert(sizeof(Number) == 8);
    return kernels::device_cast<const Number>(begin);
  }

  std::vector<std::shared_ptr<const void>> buffers_;
};

}  // namespace armilla::backend
