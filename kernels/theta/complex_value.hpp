#pragma once

#include <armilla/core/host_device.hpp>

#include <complex>

#include <kernels/core/complex_number.hpp>

namespace armilla::kernels {

using ComplexDouble = ComplexNumber<double>;

/// Conversion of the host's complex numbers to those of kernels.
template <class T>
DevicePointer<const ComplexNumber<T>> values(DevicePointer<const std::complex<T>> numbers) {
  return device_cast<const ComplexNumber<T>>(numbers);
}
template <class T>
DevicePointer<ComplexNumber<T>> values(DevicePointer<std::complex<T>> numbers) {
  return device_cast<ComplexNumber<T>>(numbers);
}

HOST_DEVICE inline ComplexDouble operator*(double s, ComplexDouble a) { return {s * a.re, s * a.im}; }

}  // namespace armilla::kernels
