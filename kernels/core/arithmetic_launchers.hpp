#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/types.hpp>

#include <cmath>

#include <kernels/core/arithmetic.hpp>
#include <kernels/core/complex_number.hpp>
#include <kernels/core/each_number.hpp>
#include <kernels/core/row_sums.hpp>
#include <kernels/core/team.hpp>
#include <kernels/core/warp.hpp>

/// The kernels of arithmetic.hpp: bodies and launchers. Include this in a file that defines launch_team.
namespace armilla::kernels {

using core::Index;

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

static_assert(kSumLanes == kWarp);

/// One warp processes one row of one field.
template <class T>
struct RowSumsBody {
  struct Lane {
    double sum;
  };
  using Shared = Nothing;
  static constexpr int kThreads = 256;

  RowSumsTask<T> task;

  GridSize grid() const {
    constexpr Index kRows = kThreads / kWarp;
    return {(task.fields * task.rows + kRows - 1) / kRows};
  }

  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    team.each_warp([&](auto& warp) {
      const Index number = block.x * (kThreads / kWarp) + warp.index();
      if (number >= task.fields * task.rows) return;
      const Index row = number % task.rows;
      const RowTerms<T> terms(task, number / task.rows, row);
      const Index length = task.length[row];
      warp.each([&](Lane& own, int lane) {
        own.sum = 0;
        for (Index i = lane; i < length; i += kSumLanes) own.sum += terms(i);
      });
      for (int half = kSumLanes / 2; half > 0; half /= 2)
        warp.exchange(
            half, [](const Lane& own, int) { return own.sum; }, [](Lane& own, int, double other) { own.sum += other; });
      warp.each([&](const Lane& own, int lane) {
        if (lane == 0) task.sums[number] = own.sum;
      });
    });
  }
};

template <class T>
void Arithmetic<T>::combine(T a, DevicePointer<const T> x, T b, DevicePointer<T> y, Index count, StreamHandle stream) {
  launch_numbers(CombineBody<T>{a, in_kernel(x), b, in_kernel(y)}, count, "sum of fields", stream);
}

template <class T>
void Arithmetic<T>::multiply(DevicePointer<const T> x, DevicePointer<T> y, Index count, StreamHandle stream) {
  launch_numbers(MultiplyBody<T>{in_kernel(x), in_kernel(y)}, count, "product of fields", stream);
}

template <class T>
void Arithmetic<T>::mask(DevicePointer<const T> x, DevicePointer<T> y, Index count, StreamHandle stream) {
  launch_numbers(MaskBody<T>{in_kernel(x), in_kernel(y)}, count, "masking of fields", stream);
}

template <class T>
void Arithmetic<T>::widen(DevicePointer<double> to, DevicePointer<const T> from, Index count, StreamHandle stream) {
  launch_numbers(ConvertBody<double, T>{in_kernel(to), in_kernel(from)}, count, "conversion of a field", stream);
}

template <class T>
void Arithmetic<T>::narrow(DevicePointer<T> to, DevicePointer<const double> from, Index count, StreamHandle stream) {
  launch_numbers(ConvertBody<T, double>{in_kernel(to), in_kernel(from)}, count, "conversion of a field", stream);
}

template <class T>
void Arithmetic<T>::multiply_rows(const DeviceRowNumbers& rows, DevicePointer<const double> factors, DevicePointer<T> x,
                                  StreamHandle stream) {
  launch_numbers(MultiplyRowsBody<T>{in_kernel(rows), in_kernel(factors), in_kernel(x)}, rows.count(),
                 "product of coefficients", stream);
}

template <class T>
void Arithmetic<T>::multiply_orders(const DeviceRowNumbers& rows, DevicePointer<const T> factors,
                                    DevicePointer<const T> from, DevicePointer<T> to, StreamHandle stream) {
  launch_numbers(MultiplyOrdersBody<T>{in_kernel(rows), in_kernel(factors), in_kernel(from), in_kernel(to)},
                 rows.count(), "product of coefficients by order", stream);
}

template <class T>
void Arithmetic<T>::add_rows(const FieldRows& rows, DevicePointer<const T> x, DevicePointer<T> y, StreamHandle stream) {
  launch_numbers(AddRowsBody<T>{rows, in_kernel(x), in_kernel(y)}, rows.count(), "sum of coefficients", stream);
}

template <class T>
void Arithmetic<T>::widen_rows(const FieldRows& rows, DevicePointer<double> to, DevicePointer<const T> from,
                               StreamHandle stream) {
  launch_numbers(ConvertRowsBody<double, T>{rows, in_kernel(to), in_kernel(from)}, rows.count(),
                 "conversion of coefficients", stream);
}

template <class T>
void Arithmetic<T>::narrow_rows(const FieldRows& rows, DevicePointer<T> to, DevicePointer<const double> from,
                                StreamHandle stream) {
  launch_numbers(ConvertRowsBody<T, double>{rows, in_kernel(to), in_kernel(from)}, rows.count(),
                 "conversion of coefficients", stream);
}

template <class T>
void Arithmetic<T>::sum_rows(const DeviceRowSumsTask<T>& task, StreamHandle stream) {
  launch_team(RowSumsBody<T>{in_kernel(task)}, "sums of rows", stream);
}

template <class T>
void Arithmetic<T>::multiply_orbits(const DevicePixelOrbits& orbits, DevicePointer<const double> x, Index period,
                                    DevicePointer<const T> from, DevicePointer<T> to, Index count,
                                    StreamHandle stream) {
  launch_numbers(MultiplyOrbitsBody<T>{in_kernel(orbits), in_kernel(x), period, in_kernel(from), in_kernel(to)}, count,
                 "product with pixel weights", stream);
}

ARMILLA_INSTANTIATE_CLASS(Arithmetic);

}  // namespace armilla::kernels
