#pragma once

/// HOST_DEVICE marks functions that a CPU compiler and nvcc both translate: per-element mathematics shared by all
/// backends.
#if defined(__CUDACC__)
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

namespace armilla::core {

/// body(0), body(kStep), .. below `count`, as a loop that a compiler for a device does not unroll: that would take more
/// registers.
template <int kStep, class Body>
HOST_DEVICE inline void rolled(int count, const Body& body) {
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
  for (int i = 0; i < count; i += kStep) body(i);
}

}  // namespace armilla::core
