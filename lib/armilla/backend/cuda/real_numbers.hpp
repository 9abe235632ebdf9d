#pragma once

#include <complex>

namespace armilla::backend {

/// Complex numbers as kernels take them: real and imaginary parts in turns.
template <class T>
T* real(std::complex<T>* numbers) {
  return reinterpret_cast<T*>(numbers);
}
template <class T>
const T* real(const std::complex<T>* numbers) {
  return reinterpret_cast<const T*>(numbers);
}

}  // namespace armilla::backend
