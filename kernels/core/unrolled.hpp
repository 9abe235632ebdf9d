#pragma once

#include <armilla/core/host_device.hpp>

#include <utility>

namespace armilla::kernels {

/// Calls body.operator()<i>() for i = 0 .. N - 1: a loop whose counter is a compile-time constant, so that arrays
/// indexed by it stay in registers.
template <int N, class Body>
HOST_DEVICE inline void unrolled(Body&& body) {
  [&]<int... i>(std::integer_sequence<int, i...>) { (body.template operator()<i>(), ...); }
  (std::make_integer_sequence<int, N>());
}

}  // namespace armilla::kernels
