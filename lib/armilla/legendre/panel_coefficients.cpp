// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/panel_coefficients.cpp"

#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/panel_coefficients.hpp>

#include <algorithm>
#include <type_traits>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <armilla/legendre/precision-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

constexpr Index kHalf = kPanelRow / 2;

// The four values of one step of one field are stored as two parts of a row, each of this many values.
constexpr Index kPart = 2;
using PairTag = hn::CappedTag<double, kPart>;

template <class D, class T>
HWY_INLINE hn::Vec<D> load_part(D d, const T* from) {
  if constexpr (std::is_same_v<T, double>)
    return hn::LoadU(d, from);
  else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), from));
}

template <class D, class T>
HWY_INLINE void store_part(D d, hn::Vec<D> value, T* to) {
  if constexpr (std::is_same_v<T, double>)
    hn::StoreU(value, d, to);
  else
    hn::StoreU(hn::DemoteTo(hn::Rebind<float, D>(), value), hn::Rebind<float, D>(), to);
}

// Components first .. first + lanes - 1 (0: real, 1: imaginary) of the complex coefficients of a field.
template <class T>
HWY_INLINE void load_field(const StepFactors& f, const T* c, Index first, double* rows) {
  const PairTag d;
  const auto number = [&](Index l) HWY_ATTR { return l <= f.lmax ? load_part(d, c + 2 * l + first) : hn::Zero(d); };
  hn::Vec<PairTag> here = number(f.m);
  for (Index k = 0; k < f.steps; ++k, rows += kPanelRow) {
    const Index l = f.m + 2 * k;
    const hn::Vec<PairTag> next = number(l + 2);
    const hn::Vec<PairTag> even = hn::MulAdd(hn::Set(d, f.low[k]), here, hn::Mul(hn::Set(d, f.high[k]), next));
    hn::StoreU(even, d, rows + first);
    hn::StoreU(hn::Mul(hn::Set(d, f.alpha[k]), number(l + 1)), d, rows + kHalf + first);
    here = next;
  }
}

template <class T>
HWY_INLINE void store_field(const StepFactors& f, const double* rows, Index first, T* c) {
  const PairTag d;
  hn::Vec<PairTag> last = hn::Zero(d);
  for (Index k = 0; k < f.steps; ++k, rows += kPanelRow) {
    const Index l = f.m + 2 * k;
    const hn::Vec<PairTag> even = hn::LoadU(d, rows + first);
    store_part(d, hn::MulAdd(hn::Set(d, f.low[k]), even, hn::Mul(hn::Set(d, f.high[k - 1]), last)), c + 2 * l + first);
    if (l < f.lmax)
      store_part(d, hn::Mul(hn::Set(d, f.alpha[k]), hn::LoadU(d, rows + kHalf + first)), c + 2 * (l + 1) + first);
    last = even;
  }
}

#if HWY_TARGET != HWY_SCALAR
// Loads the two values at c[i] + at, of as many maps as fill a vector, next to each other; store_maps() writes them
// back.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_maps(D d, const T* const* c, Index at) {
  if constexpr (hn::MaxLanes(D()) == kPart) {
    return load_part(d, c[0] + at);
  } else {
    const hn::Half<D> half;
    constexpr Index kMaps = static_cast<Index>(hn::MaxLanes(half)) / kPart;
    return hn::Combine(d, load_maps(half, c + kMaps, at), load_maps(half, c, at));
  }
}
template <class D, class T>
HWY_INLINE void store_maps(D d, hn::Vec<D> value, T* const* c, Index at) {
  if constexpr (hn::MaxLanes(D()) == kPart) {
    store_part(d, value, c[0] + at);
  } else {
    const hn::Half<D> half;
    constexpr Index kMaps = static_cast<Index>(hn::MaxLanes(half)) / kPart;
    store_maps(half, hn::LowerHalf(half, value), c, at);
    store_maps(half, hn::UpperHalf(half, value), c + kMaps, at);
  }
}

// Coefficients of adjacent maps are far apart, and each map has only a few cache lines of them. Those of the next panel
// are therefore prefetched at the same time, each line once, at step k.
template <class T>
HWY_INLINE void fetch_step(const StepFactors& f, const PanelMaps<T>& maps, Index k) {
  constexpr Index kSteps = 64 / (4 * static_cast<Index>(sizeof(T)));  // steps per cache line
  for (Index i = k % kSteps; i < maps.ahead_count; i += kSteps)
    hwy::Prefetch(maps.ahead[i] + 2 * (f.m + 2 * (k - k % kSteps)));
}

// Four maps at once: values first .. first + lanes - 1 of the row [map][re, im].
template <class T>
HWY_INLINE void load_four(const StepFactors& f, const PanelMaps<const T>& maps, double* rows) {
  const Tag d;
  for (Index first = 0; first < kHalf; first += lane_count()) {
    const T* const* own = maps.own + first / kPart;
    Vec here = load_maps(d, own, 2 * f.m);
    double* row = rows + first;
    for (Index k = 0; k < f.steps; ++k, row += kPanelRow) {
      if (first == 0) fetch_step(f, maps, k);
      const Index l = f.m + 2 * k;
      const Vec next = l + 2 <= f.lmax ? load_maps(d, own, 2 * (l + 2)) : hn::Zero(d);
      const Vec odd = l + 1 <= f.lmax ? load_maps(d, own, 2 * (l + 1)) : hn::Zero(d);
      hn::Store(hn::MulAdd(hn::Set(d, f.low[k]), here, hn::Mul(hn::Set(d, f.high[k]), next)), d, row);
      hn::Store(hn::Mul(hn::Set(d, f.alpha[k]), odd), d, row + kHalf);
      here = next;
    }
  }
}

template <class T>
HWY_INLINE void store_four(const StepFactors& f, const double* rows, const PanelMaps<T>& maps) {
  const Tag d;
  for (Index first = 0; first < kHalf; first += lane_count()) {
    T* const* own = maps.own + first / kPart;
    Vec last = hn::Zero(d);
    const double* row = rows + first;
    for (Index k = 0; k < f.steps; ++k, row += kPanelRow) {
      if (first == 0) fetch_step(f, maps, k);
      const Index l = f.m + 2 * k;
      const Vec even = hn::Load(d, row);
      store_maps(d, hn::MulAdd(hn::Set(d, f.low[k]), even, hn::Mul(hn::Set(d, f.high[k - 1]), last)), own, 2 * l);
      if (l < f.lmax) store_maps(d, hn::Mul(hn::Set(d, f.alpha[k]), hn::Load(d, row + kHalf)), own, 2 * (l + 1));
      last = even;
    }
  }
}
#endif

template <class T>
HWY_INLINE void load_all(const StepFactors& factors, const PanelMaps<const T>& maps, double* rows) {
#if HWY_TARGET != HWY_SCALAR
  if (maps.count == kPanelFields) return load_four(factors, maps, rows);
#endif
  for (Index i = 0; i < maps.count; ++i)
    for (Index first = 0; first < kPart; first += static_cast<Index>(hn::Lanes(PairTag())))
      load_field(factors, maps.own[i], first, rows + kPart * i);
}
template <class T>
HWY_INLINE void store_all(const StepFactors& factors, const double* rows, const PanelMaps<T>& maps) {
#if HWY_TARGET != HWY_SCALAR
  if (maps.count == kPanelFields) return store_four(factors, rows, maps);
#endif
  for (Index i = 0; i < maps.count; ++i)
    for (Index first = 0; first < kPart; first += static_cast<Index>(hn::Lanes(PairTag())))
      store_field(factors, rows + kPart * i, first, maps.own[i]);
}

void load_float(const StepFactors& factors, const PanelMaps<const float>& maps, double* rows) {
  load_all<float>(factors, maps, rows);
}
void load_double(const StepFactors& factors, const PanelMaps<const double>& maps, double* rows) {
  load_all<double>(factors, maps, rows);
}
void store_float(const StepFactors& factors, const double* rows, const PanelMaps<float>& maps) {
  store_all(factors, rows, maps);
}
void store_double(const StepFactors& factors, const double* rows, const PanelMaps<double>& maps) {
  store_all(factors, rows, maps);
}

void spread(const double* field, Index steps, double* rows) {
  const PairTag d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index k = 0; k < steps; ++k, field += 4, rows += kPanelRow)
    for (Index i = 0; i < kPart; i += lanes) {
      hn::StoreU(hn::LoadU(d, field + i), d, rows + i);
      hn::StoreU(hn::LoadU(d, field + kPart + i), d, rows + kHalf + i);
    }
}

void gather(const double* rows, Index steps, double* field) {
  const PairTag d;
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  for (Index k = 0; k < steps; ++k, field += 4, rows += kPanelRow)
    for (Index i = 0; i < kPart; i += lanes) {
      hn::StoreU(hn::LoadU(d, rows + i), d, field + i);
      hn::StoreU(hn::LoadU(d, rows + kHalf + i), d, field + kPart + i);
    }
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(load_float);
HWY_EXPORT(load_double);
HWY_EXPORT(store_float);
HWY_EXPORT(store_double);
HWY_EXPORT(spread);
HWY_EXPORT(gather);

template <class T>
void load_panel(const StepFactors& factors, const PanelMaps<const T>& maps, double* rows) {
  if constexpr (std::is_same_v<T, float>)
    HWY_DYNAMIC_DISPATCH(load_float)(factors, maps, rows);
  else
    HWY_DYNAMIC_DISPATCH(load_double)(factors, maps, rows);
}

template <class T>
void store_panel(const StepFactors& factors, const double* rows, const PanelMaps<T>& maps) {
  if constexpr (std::is_same_v<T, float>)
    HWY_DYNAMIC_DISPATCH(store_float)(factors, rows, maps);
  else
    HWY_DYNAMIC_DISPATCH(store_double)(factors, rows, maps);
}

void spread_field(const double* field, Index steps, double* rows) { HWY_DYNAMIC_DISPATCH(spread)(field, steps, rows); }
void gather_field(const double* rows, Index steps, double* field) { HWY_DYNAMIC_DISPATCH(gather)(rows, steps, field); }

ARMILLA_INSTANTIATE(load_panel);
ARMILLA_INSTANTIATE(store_panel);

}  // namespace armilla::legendre
#endif
