#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <cmath>

namespace armilla::kernels {

using core::Index;

template <class To, class From>
struct ConvertBody {
  To* to;
  const From* from;

  HOST_DEVICE void operator()(Index i) const { to[i] = static_cast<To>(from[i]); }
};

template <class T>
struct CombineBody {
  T a;
  const T* x;
  T b;
  T* y;

  HOST_DEVICE void operator()(Index i) const { y[i] = std::fma(a, x[i], b * y[i]); }
};

template <class T>
struct MultiplyBody {
  const T* x;
  T* y;

  HOST_DEVICE void operator()(Index i) const { y[i] *= x[i]; }
};

}  // namespace armilla::kernels
