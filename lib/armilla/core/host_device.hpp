#pragma once

#include <cstdint>

/// HOST_DEVICE marks functions compiled by both a CPU compiler and nvcc: per-element mathematics shared by all
/// backends.
#if defined(__CUDACC__)
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

namespace armilla::core {

/// Address range of emulated device memory, and the offset to its host-readable mapping. Set while a thread runs an
/// emulated kernel; empty otherwise.
struct DeviceWindow {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uintptr_t shift = 0;
};
inline thread_local constinit DeviceWindow device_window;

/// The address at which kernel code can access `address`: shifted inside an emulated kernel, unchanged elsewhere.
template <class T>
HOST_DEVICE inline T* readable(T* address) {
#if !defined(__CUDA_ARCH__)
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  if (number >= device_window.begin && number < device_window.end)
    return reinterpret_cast<T*>(number + device_window.shift);
#endif
  return address;
}

/// Calls body(0), body(kStep), .. below `count` in a loop that device compilers do not unroll, because unrolling would
/// need more registers.
template <int kStep, class Body>
HOST_DEVICE inline void rolled(int count, const Body& body) {
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
  for (int i = 0; i < count; i += kStep) body(i);
}

}  // namespace armilla::core
