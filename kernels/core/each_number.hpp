#pragma once

#include <kernels/core/team.hpp>

/// Kernels with one thread for each index. Include this in a file that defines launch_team.
namespace armilla::kernels {

/// Calls body(i) for i = 0 .. count - 1, one per thread.
template <class Body>
struct EachNumber {
  static constexpr int kThreads = 256;

  Body body;
  Index count;

  GridSize grid() const { return {(count + kThreads - 1) / kThreads}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index i = block.x * kThreads + thread;
    if (i < count) body(i);
  }
};

template <class Body>
void launch_numbers(const Body& body, Index count, const char* what, StreamHandle stream) {
  launch_team(EachThread{EachNumber<Body>{body, count}}, what, stream);
}

}  // namespace armilla::kernels
