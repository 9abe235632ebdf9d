#pragma once

#include <complex>

#include <kernels/core/device_pointer.hpp>

namespace armilla::backend {

using kernels::DevicePointer;

/// Complex numbers on the device in the kernels' format: interleaved real and imaginary parts.
template <class T>
DevicePointer<T> real(DevicePointer<std::complex<T>> numbers) {
  return kernels::device_cast<T>(numbers);
}
template <class T>
DevicePointer<const T> real(DevicePointer<const std::complex<T>> numbers) {
  return kernels::device_cast<const T>(numbers);
}

}  // namespace armilla::backend
