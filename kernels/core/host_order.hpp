#pragma once

namespace armilla::kernels {

/// Order in which the host runs what is unordered on a device: threads, warps and blocks, but not lanes of a warp.
enum class HostOrder { kAscending, kDescending };

/// Calls body(i) for i = 0 .. count - 1 in the given order.
template <class Count, class Body>
void for_all(HostOrder order, Count count, const Body& body) {
  for (Count i = 0; i < count; ++i) body(order == HostOrder::kAscending ? i : count - 1 - i);
}

}  // namespace armilla::kernels
