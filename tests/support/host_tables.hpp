#pragma once

#include <ranges>

#include <kernels/core/device_pointer.hpp>

namespace armilla::test {

/// Tables that kernel bodies read on the host, where they are.
struct HostTables {
  template <class Table>
  auto operator()(const Table& table) const {
    return kernels::KernelPointer<const std::ranges::range_value_t<Table>>(table.data());
  }
};

}  // namespace armilla::test
