#pragma once

#include <armilla/core/host_device.hpp>

#include <complex>

namespace armilla::kernels {

/// A complex number as two numbers side by side, as std::complex<T> stores it; kernels read and write it at once.
template <class T>
struct alignas(2 * sizeof(T)) ComplexValue {
  T re;
  T im;
};
using ComplexDouble = ComplexValue<double>;

/// Complex numbers of the host as kernels see them.
template <class T>
const ComplexValue<T>* values(const std::complex<T>* numbers) {
  return reinterpret_cast<const ComplexValue<T>*>(numbers);
}
template <class T>
ComplexValue<T>* values(std::complex<T>* numbers) {
  return reinterpret_cast<ComplexValue<T>*>(numbers);
}

HOST_DEVICE inline ComplexDouble operator+(ComplexDouble a, ComplexDouble b) { return {a.re + b.re, a.im + b.im}; }
HOST_DEVICE inline ComplexDouble operator*(double s, ComplexDouble a) { return {s * a.re, s * a.im}; }

}  // namespace armilla::kernels
