// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/nufft/spread_cell.cpp"

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

// Adds a value with the weights of its windows to samples aligned to vectors. Each load then reads the result of a
// single earlier store, which can be forwarded from the store buffer.
template <int W, class D, class T>
HWY_INLINE void add_window(D d, T value, const T* theta, const T* phi, T* samples) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  constexpr int kVectors = (W + 2 * kLanes - 2) / kLanes;
  hn::Vec<D> weighed[kVectors];
  for (int v = 0; v < kVectors; ++v) weighed[v] = hn::Mul(hn::Set(d, value), hn::Load(d, phi + v * kLanes));
  for (int row = 0; row < W; ++row) {
    const hn::Vec<D> weight = hn::Set(d, theta[row * kGroup]);
    T* to = samples + row * kCellPitch;
    for (int v = 0; v < kVectors; ++v)
      hn::Store(hn::MulAdd(weight, weighed[v], hn::Load(d, to + v * kLanes)), d, to + v * kLanes);
  }
}

// The width is a compile-time constant, so that the loops over rows and columns are unrolled and the weights of phi
// stay in registers.
template <class T, int W>
void spread_points(const CellPoints<T>& cell, const T* const* values, T* samples) {
  // Half the maximum vector size: fewer zeros next to the window, and two stores per cycle.
  const hn::CappedTag<T, 32 / sizeof(T)> d;
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(decltype(d)()));
  WindowGroup<T, W> group;
  for (Index begin = 0; begin < cell.count; begin += kGroup) {
    const int count = static_cast<int>(std::min<Index>(kGroup, cell.count - begin));
    group.template fill<kLanes>(cell.table->coefficients(), cell.points + begin, count);
    prefetch_values<T>(cell, begin, values);
    for (Index field = 0; field < cell.fields; ++field)
      for (int i = 0; i < count; ++i)
        add_window<W>(d, values[field][group.number(i)], &group.theta[0][i], group.phi[i],
                      samples + field * cell.stride + group.offset[i] / kLanes * kLanes);
  }
}

template <class T>
using SpreadPoints = void (*)(const CellPoints<T>&, const T* const*, T*);

template <class T, int... kOffset>
constexpr auto spreadings(std::integer_sequence<int, kOffset...>) {
  return std::array<SpreadPoints<T>, sizeof...(kOffset)>{&spread_points<T, kMinWidth + kOffset>...};
}

template <class T>
void spread_of_width(const CellPoints<T>& cell, const T* const* values, T* samples) {
  static constexpr auto kOfWidth = spreadings<T>(std::make_integer_sequence<int, kMaxWidth - kMinWidth + 1>());
  kOfWidth[static_cast<std::size_t>(cell.table->width() - kMinWidth)](cell, values, samples);
}

void spread_float(const CellPoints<float>& cell, const float* const* values, float* samples) {
  spread_of_width(cell, values, samples);
}
void spread_double(const CellPoints<double>& cell, const double* const* values, double* samples) {
  spread_of_width(cell, values, samples);
}

}  // namespace armilla::nufft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace armilla::nufft {

HWY_EXPORT(spread_float);
HWY_EXPORT(spread_double);

void spread_cell(const CellPoints<float>& cell, const float* const* values, float* samples) {
  HWY_DYNAMIC_DISPATCH(spread_float)(cell, values, samples);
}
void spread_cell(const CellPoints<double>& cell, const double* const* values, double* samples) {
  HWY_DYNAMIC_DISPATCH(spread_double)(cell, values, samples);
}

}  // namespace armilla::nufft

#endif
