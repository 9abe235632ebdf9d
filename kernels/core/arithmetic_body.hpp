#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <cmath>

#include <kernels/core/arithmetic.hpp>

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

template <class T>
struct MaskBody {
  const T* x;
  T* y;

  HOST_DEVICE void operator()(Index i) const { y[i] = x[i] == T{0} ? T{0} : y[i] * x[i]; }
};

/// Number i % end of row i / end, rows of all fields one after the other; nothing where the row begins behind it.
template <class T>
struct MultiplyRowsBody {
  RowNumbers rows;
  const double* factors;
  T* x;

  HOST_DEVICE void operator()(Index i) const {
    const Index l = i % rows.end;
    const Index k = i / rows.end % rows.rows;
    if (l < rows.first[k]) return;
    T* number = x + 2 * (i / rows.end / rows.rows * rows.field_stride + rows.offset[k] + l);
    for (int part = 0; part < 2; ++part) number[part] = static_cast<T>(factors[l] * static_cast<double>(number[part]));
  }
};

}  // namespace armilla::kernels
