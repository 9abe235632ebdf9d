#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/core/types.hpp>

#include <memory>
#include <ranges>
#include <span>
#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// Copies of host tables on the current device, which live as long as this. Copies are complete when calls return.
/// Throw ResourceError where they do not fit.
class DeviceTables {
 public:
  /// A contiguous table in an array of its own.
  template <class Table>
  auto add(const Table& table, const kernels::Stream& stream) {
    using Number = std::ranges::range_value_t<Table>;
    const auto buffer =
        std::make_shared<const kernels::DeviceBuffer<Number>>(kernels::upload<Number>(std::span(table), stream));
    buffers_.push_back(buffer);
    return buffer->data();
  }

  /// All tables of make(add), of numbers of 8 bytes, one after the other in one array: kernels read beyond the end of
  /// some and discard what they find. make() is called twice and returns what its second call makes of the pointers.
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
