#pragma once

#include <armilla/core/host_device.hpp>

#include <complex>

#include <kernels/core/complex_number.hpp>

namespace armilla::kernels {

using ComplexDouble = ComplexNumber<double>;

/// Complex numbers of the host as kernels see them.
template <class T>
const ComplexNumber<T>* values(const std::complex<T>* numbers) {
  return reinterpret_cast<const ComplexNumber<T>*>(numbers);
}
template <class T>
ComplexNumber<T>* values(std::complex<T>* numbers) {
  return reinterpret_cast<ComplexNumber<T>*>(numbers);
}

HOST_DEVICE inline ComplexDouble operator*(double s, ComplexDouble a) { return {s * a.re, s * a.im}; }

}  // namespace armilla::kernels
