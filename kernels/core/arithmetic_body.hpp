#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <cmath>

#include <kernels/core/arithmetic.hpp>
#include <kernels/core/complex_number.hpp>
#include <kernels/core/team.hpp>

namespace armilla::kernels {

using core::Index;

/// Calls body(i) for i = 0 .. count - 1, one per thread.
template <class Body>
struct EachNumber {
  static constexpr int kThreads = 256;

  Body body;
  Index count;

  GridSize grid() const { return {(count + kThreads - 1) / kThreads}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const Index i = block.x * kThreads + thread;
    if (i < count) body(i);
  }
};

template <class T>
struct CombineBody {
  T a;
  KernelPointer<const T> x;
  T b;
  KernelPointer<T> y;

  HOST_DEVICE void operator()(Index i) const { y[i] = std::fma(a, x[i], b * y[i]); }
};

template <class T>
struct MultiplyBody {
  KernelPointer<const T> x;
  KernelPointer<T> y;

  HOST_DEVICE void operator()(Index i) const { y[i] *= x[i]; }
};

template <class T>
struct MaskBody {
  KernelPointer<const T> x;
  KernelPointer<T> y;

  HOST_DEVICE void operator()(Index i) const { y[i] = x[i] == T{0} ? T{0} : y[i] * x[i]; }
};

template <class To, class From>
struct ConvertBody {
  KernelPointer<To> to;
  KernelPointer<const From> from;

  HOST_DEVICE void operator()(Index i) const { to[i] = static_cast<To>(from[i]); }
};

/// Processes value i % end of row i / end, with the rows of all fields one after the other. No effect if the row begins
/// after this value.
template <class T>
struct MultiplyRowsBody {
  RowNumbers rows;
  KernelPointer<const double> factors;
  KernelPointer<T> x;

  HOST_DEVICE void operator()(Index i) const {
    const Index l = i % rows.end;
    const Index k = i / rows.end % rows.rows;
    if (l < rows.first[k]) return;
    T* number = x + 2 * (i / rows.end / rows.rows * rows.field_stride + rows.offset[k] + l);
    for (int part = 0; part < 2; ++part) number[part] = static_cast<T>(factors[l] * static_cast<double>(number[part]));
  }
};

/// Like MultiplyRowsBody, with one factor per row.
template <class T>
struct MultiplyOrdersBody {
  RowNumbers rows;
  KernelPointer<const T> factors;
  KernelPointer<const T> from;
  KernelPointer<T> to;

  HOST_DEVICE void operator()(Index i) const {
    const Index l = i % rows.end;
    const Index k = i / rows.end % rows.rows;
    if (l < rows.first[k]) return;
    const Index place = i / rows.end / rows.rows * rows.field_stride + rows.offset[k] + l;
    const ComplexNumber<T> z = load(from, place);
    store(to, place, ComplexNumber<T>{factors[k] * z.re, factors[k] * z.im});
  }
};

/// Index of value i of all rows, fields one after the other.
HOST_DEVICE inline Index row_place(const FieldRows& rows, Index i) {
  const Index field = i / rows.length;
  return field / rows.components * rows.map_stride + field % rows.components * rows.component_stride + rows.begin +
         i % rows.length;
}

template <class T>
struct AddRowsBody {
  FieldRows rows;
  KernelPointer<const T> x;
  KernelPointer<T> y;

  HOST_DEVICE void operator()(Index i) const {
    const Index place = row_place(rows, i);
    store(y, place, load(y, place) + load(x, place));
  }
};

template <class To, class From>
struct ConvertRowsBody {
  FieldRows rows;
  KernelPointer<To> to;
  KernelPointer<const From> from;

  HOST_DEVICE void operator()(Index i) const {
    const Index place = row_place(rows, i);
    const ComplexNumber<From> z = load(from, place);
    store(to, place, ComplexNumber<To>{static_cast<To>(z.re), static_cast<To>(z.im)});
  }
};

/// Multiplies each pixel by 1 + x of its orbit, in double. A component has `period` pixels.
template <class T>
struct MultiplyOrbitsBody {
  PixelOrbits orbits;
  KernelPointer<const double> x;
  Index period;
  KernelPointer<const T> from;
  KernelPointer<T> to;

  HOST_DEVICE void operator()(Index i) const {
    to[i] = static_cast<T>((1 + x[orbits.orbit(i % period)]) * static_cast<double>(from[i]));
  }
};

}  // namespace armilla::kernels
