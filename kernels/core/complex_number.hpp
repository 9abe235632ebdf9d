#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <kernels/core/device_pointer.hpp>

namespace armilla::kernels {

using core::Index;

/// A complex number in registers and in shared memory. Arrays of std::complex<T>, passed as T*, are read and written
/// with both parts in one access.
template <class T>
struct alignas(2 * sizeof(T)) [[gnu::may_alias]] ComplexNumber {
  T re, im;
};

template <class T>
HOST_DEVICE inline ComplexNumber<T> load(const T* values, Index i) {
  return reinterpret_cast<const ComplexNumber<T>*>(values)[i];
}

template <class T>
HOST_DEVICE inline auto load(KernelPointer<T> values, Index i) {
  return load(static_cast<const T*>(values), i);
}

template <class T>
HOST_DEVICE inline void store(T* values, Index i, ComplexNumber<T> z) {
  reinterpret_cast<ComplexNumber<T>*>(values)[i] = z;
}
template <class T>
HOST_DEVICE inline void store(KernelPointer<T> values, Index i, ComplexNumber<T> z) {
  store(static_cast<T*>(values), i, z);
}

template <class T>
HOST_DEVICE inline ComplexNumber<T> operator+(ComplexNumber<T> a, ComplexNumber<T> b) {
  return {a.re + b.re, a.im + b.im};
}

template <class T>
HOST_DEVICE inline ComplexNumber<T> operator-(ComplexNumber<T> a, ComplexNumber<T> b) {
  return {a.re - b.re, a.im - b.im};
}

template <class T>
HOST_DEVICE inline ComplexNumber<T> operator*(ComplexNumber<T> a, ComplexNumber<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <class T>
HOST_DEVICE inline ComplexNumber<T> conj(ComplexNumber<T> a) {
  return {a.re, -a.im};
}

template <class T>
HOST_DEVICE inline ComplexNumber<T> swapped(ComplexNumber<T> a) {
  return {a.im, a.re};
}

}  // namespace armilla::kernels
