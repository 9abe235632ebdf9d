// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/nufft/interpolate_cell.cpp"

#include <armilla/nufft/cell_kernels.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
// Compiled once per instruction set, so it must follow foreach_target.h.
#include <armilla/nufft/window_weights-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace armilla::nufft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

template <class D, class V = hn::Vec<D>>
HWY_INLINE V sums_of_lanes(D, V* v) {
  return v[0];
}

#else

// Sums of the lanes of N vectors of N lanes. Lane i of the result is the sum of vector i; all are summed in the same
// order.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V sums_of_lanes(D d, V* v) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (kLanes > 1)
    for (int n = kLanes / 2; n >= 1; n /= 2)
      for (int i = 0; i < n; ++i)
        v[i] = hn::Add(hn::ConcatEven(d, v[2 * i + 1], v[2 * i]), hn::ConcatOdd(d, v[2 * i + 1], v[2 * i]));
  return v[0];
}

#endif

// Weighted columns of a window of samples, each summed over the rows. The caller sums over columns.
template <int W, class D, class T>
HWY_INLINE hn::Vec<D> window_columns(D d, const T* samples, const T* theta, const T* phi) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  constexpr int kVectors = (W + kLanes - 1) / kLanes;
  hn::Vec<D> sums[kVectors];
  for (int v = 0; v < kVectors; ++v) sums[v] = hn::Mul(hn::Set(d, theta[0]), hn::LoadU(d, samples + v * kLanes));
  for (int row = 1; row < W; ++row) {
    const hn::Vec<D> weight = hn::Set(d, theta[row * kGroup]);
    const T* from = samples + row * kCellPitch;
    for (int v = 0; v < kVectors; ++v) sums[v] = hn::MulAdd(weight, hn::LoadU(d, from + v * kLanes), sums[v]);
  }
  hn::Vec<D> sum = hn::Mul(sums[0], hn::LoadU(d, phi));
  for (int v = 1; v < kVectors; ++v) sum = hn::MulAdd(sums[v], hn::LoadU(d, phi + v * kLanes), sum);
  return sum;
}

// The width is a compile-time constant, so that the loops over rows and columns are unrolled and sums stay in
// registers.
template <class T, int W>
void interpolate_points(const CellPoints<T>& cell, const T* samples, T* const* values) {
  // The widest vectors that are efficient for this window.
  constexpr int kWidest = 64 / sizeof(T);
  const hn::CappedTag<T, (W <= kWidest / 2 ? kWidest / 2 : kWidest)> d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(decltype(d)()));
  WindowGroup<T, W> group;
  alignas(64) T results[kGroup];
  for (Index begin = 0; begin < cell.count; begin += kGroup) {
    const int count = static_cast<int>(std::min<Index>(kGroup, cell.count - begin));
    group.template fill<1>(cell.table->coefficients(), cell.points + begin, count);
    prefetch_values<T>(cell, begin, values);
    for (Index field = 0; field < cell.fields; ++field) {
      const T* of_field = samples + field * cell.stride;
      for (int i = 0; i < count; i += kLanes) {
        hn::Vec<decltype(d)> sums[kLanes];
        for (int k = 0; k < kLanes; ++k)
          sums[k] = window_columns<W>(d, of_field + group.offset[i + k], &group.theta[0][i + k], group.phi[i + k]);
        hn::Store(sums_of_lanes(d, sums), d, results + i);
      }
      for (int i = 0; i < count; ++i) values[field][group.number(i)] = results[i];
    }
  }
}

template <class T>
using InterpolatePoints = void (*)(const CellPoints<T>&, const T*, T* const*);

template <class T, int... kOffset>
constexpr auto interpolations(std::integer_sequence<int, kOffset...>) {
  return std::array<InterpolatePoints<T>, sizeof...(kOffset)>{&interpolate_points<T, kMinWidth + kOffset>...};
}

template <class T>
void interpolate_of_width(const CellPoints<T>& cell, const T* samples, T* const* values) {
  static constexpr auto kOfWidth = interpolations<T>(std::make_integer_sequence<int, kMaxWidth - kMinWidth + 1>());
  kOfWidth[static_cast<std::size_t>(cell.table->width() - kMinWidth)](cell, samples, values);
}

void interpolate_float(const CellPoints<float>& cell, const float* samples, float* const* values) {
  interpolate_of_width(cell, samples, values);
}
void interpolate_double(const CellPoints<double>& cell, const double* samples, double* const* values) {
  interpolate_of_width(cell, samples, values);
}

}  // namespace armilla::nufft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace armilla::nufft {

HWY_EXPORT(interpolate_float);
HWY_EXPORT(interpolate_double);

void interpolate_cell(const CellPoints<float>& cell, const float* samples, float* const* values) {
  HWY_DYNAMIC_DISPATCH(interpolate_float)(cell, samples, values);
}
void interpolate_cell(const CellPoints<double>& cell, const double* samples, double* const* values) {
  HWY_DYNAMIC_DISPATCH(interpolate_double)(cell, samples, values);
}

}  // namespace armilla::nufft

#endif
