// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/batch_rows.cpp"

#include <armilla/legendre/batch_rows.hpp>

#include <algorithm>
#include <cstdint>
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
// With fewer fields, streaming is not faster.
constexpr Index kMinToStream = 8;

// With `stream`, uses non-temporal stores for whole cache lines of both rings. Delta of many maps has usually left the
// caches before it is read again, and such stores avoid reading the lines that they overwrite.
template <class T>
HWY_INLINE void unpack_numbers(const double* row, double even, double odd, bool stream, T* north, T* south) {
  const Tag d;
  for (Index i = 0; i < kHalf; i += lane_count()) {
    const Vec e = hn::Mul(hn::Set(d, even), hn::Load(d, row + i));
    const Vec o = hn::Mul(hn::Set(d, odd), hn::Load(d, row + kHalf + i));
    if constexpr (std::is_same_v<T, double>) {
      if (stream) {
        hn::Stream(hn::Add(e, o), d, north + i);
        hn::Stream(hn::Sub(e, o), d, south + i);
        continue;
      }
    }
    if (north != nullptr) store_narrow(hn::Add(e, o), north + i);
    if (south != nullptr) store_narrow(hn::Sub(e, o), south + i);
  }
}

// Whether the fields of a ring fill whole cache lines.
HWY_INLINE bool whole_lines(const void* ring, Index fields) {
  constexpr std::uintptr_t kLine = 64;
  return ring != nullptr && fields % kPanelFields == 0 && reinterpret_cast<std::uintptr_t>(ring) % kLine == 0;
}

template <class T>
HWY_INLINE void pack_numbers(const T* north, const T* south, double even, double odd, double* row) {
  const Tag d;
  for (Index i = 0; i < kHalf; i += lane_count()) {
    const Vec n = load_wide(north + i);
    const Vec s = load_wide(south + i);
    hn::Store(hn::Mul(hn::Set(d, even), hn::Add(n, s)), d, row + i);
    hn::Store(hn::Mul(hn::Set(d, odd), hn::Sub(n, s)), d, row + kHalf + i);
  }
}

// Positions of the fields of some panels among the fields of a ring, precomputed to avoid divisions.
struct PanelPlaces {
  static constexpr Index kMax = 16;
  const PanelFields& fields;
  Index first;  // first panel
  Index count;
  Index place[kMax];  // position of the first field of the panel
  bool whole[kMax];   // all fields of the panel are present and adjacent

  PanelPlaces(const PanelFields& fields_, Index first_)
      : fields(fields_), first(first_), count(std::min(kMax, panels_of(fields_.count) - first_)) {
    for (Index i = 0; i < count; ++i) {
      const Index field = (first + i) * kPanelFields;
      place[i] = fields.place(field);
      whole[i] = field + kPanelFields <= fields.count && fields.place(field + kPanelFields - 1) - place[i] == 3;
    }
  }
  // Copies between a ring, which must exist, and adjacent values, for a panel that is not whole.
  template <class T>
  void scatter(Index panel, const T* from, T* ring) const {
    for_each_field(panel, [&](Index i, Index at) { std::copy_n(from + 2 * i, 2, ring + 2 * at); });
  }
  template <class T>
  void gather(Index panel, const T* ring, T* to) const {
    for_each_field(panel, [&](Index i, Index at) { std::copy_n(ring + 2 * at, 2, to + 2 * i); });
  }

 private:
  template <class Body>
  void for_each_field(Index panel, const Body& body) const {
    const Index field = (first + panel) * kPanelFields;
    for (Index i = 0; i < std::min(kPanelFields, fields.count - field); ++i) body(i, fields.place(field + i));
  }
};

// Calls body(panels) for all panels, up to kMax at a time.
template <class Body>
HWY_INLINE void for_each_panels(const PanelFields& fields, const Body& body) {
  for (Index first = 0; first < panels_of(fields.count); first += PanelPlaces::kMax) body(PanelPlaces(fields, first));
}

template <class T>
HWY_INLINE T* numbers_at(std::complex<T>* delta, const Task& task, Index k, Index pair, Index slot) {
  return slot >= 0 ? reinterpret_cast<T*>(delta + task.delta_position(k, pair, slot)) : nullptr;
}

// Delta of many maps is read from memory, and hardware prefetchers do not follow from ring to ring. Data are therefore
// prefetched this many pairs ahead.
constexpr Index kPairsAhead = 2;

template <class T>
HWY_INLINE void fetch(const T* ring, Index place) {
  if (ring == nullptr) return;
  constexpr Index kLine = 64 / static_cast<Index>(sizeof(T));
  for (Index i = 0; i < kHalf; i += kLine) hwy::Prefetch(ring + 2 * place + i);
}

template <class T>
void unpack_panels(const Task& task, Index k, const RowRange& range, const PanelPlaces& panels, const double* halves,
                   std::complex<T>* delta) {
  for (Index pair = range.begin; pair < range.end; ++pair) {
    const auto p = static_cast<std::size_t>(pair);
    T* north = numbers_at(delta, task, k, pair, task.north_slot[p]);
    T* south = numbers_at(delta, task, k, pair, task.south_slot[p]);
    const double* row = halves + (panels.first * range.places + range.first + pair - range.begin) * kPanelRow;
    const bool lines = !task.delta_read_at_once && task.width() >= kMinToStream && whole_lines(north, task.width()) &&
                       whole_lines(south, task.width());
    for (Index i = 0; i < panels.count; ++i, row += range.places * kPanelRow) {
      if (panels.whole[i]) {
        const Index place = panels.place[i];
        unpack_numbers(row, range.even[pair], range.odd[pair], lines && place % kPanelFields == 0,
                       north == nullptr ? nullptr : north + 2 * place, south == nullptr ? nullptr : south + 2 * place);
      } else {
        T part[2][kHalf];
        unpack_numbers(row, range.even[pair], range.odd[pair], false, part[0], part[1]);
        if (north != nullptr) panels.scatter(i, part[0], north);
        if (south != nullptr) panels.scatter(i, part[1], south);
      }
    }
  }
}

template <class T>
void unpack_all(const Task& task, Index k, const RowRange& range, const PanelFields& fields, const double* halves,
                std::complex<T>* delta) {
  for_each_panels(fields,
                  [&](const PanelPlaces& panels) HWY_ATTR { unpack_panels(task, k, range, panels, halves, delta); });
  hwy::FlushStream();
}

// Row of each pair in turn, without divisions.
struct ClassPlace {
  Index own, row;
  ClassPlace(const PairClasses& classes, Index pair) : own(pair % classes.classes), row(classes.place(pair)) {}
  void next(const PairClasses& classes) {
    row += classes.stride();
    if (++own < classes.classes) return;
    own = 0;
    row += 1 - classes.rows();
  }
};

template <class T>
void pack_panels(const Task& task, Index k, const RowRange& range, const PairClasses& classes,
                 const PanelPlaces& panels, const std::complex<T>* delta, double* halves) {
  static constexpr T kZeros[kHalf] = {};
  ClassPlace place(classes, range.first);
  for (Index pair = range.begin; pair < range.end; ++pair, place.next(classes)) {
    const auto ring_of = [&](const std::span<const Index>& slots, Index of) -> const T* {
      if (of >= range.end) return nullptr;
      return numbers_at(const_cast<std::complex<T>*>(delta), task, k, of, slots[static_cast<std::size_t>(of)]);
    };
    const T* north = ring_of(task.north_slot, pair);
    const T* south = ring_of(task.south_slot, pair);
    const Index ahead = task.delta_read_at_once ? range.end : pair + kPairsAhead;
    const T* north_ahead = ring_of(task.north_slot, ahead);
    const T* south_ahead = ring_of(task.south_slot, ahead);
    double* row = halves + (panels.first * classes.rows() + place.row) * kPanelRow;
    for (Index i = 0; i < panels.count; ++i, row += classes.rows() * kPanelRow) {
      fetch(north_ahead, panels.place[i]);
      fetch(south_ahead, panels.place[i]);
      if (panels.whole[i]) {
        const Index first = 2 * panels.place[i];
        pack_numbers(north == nullptr ? kZeros : north + first, south == nullptr ? kZeros : south + first,
                     range.even[pair], range.odd[pair], row);
      } else {
        T part[2][kHalf] = {};
        if (north != nullptr) panels.gather(i, north, part[0]);
        if (south != nullptr) panels.gather(i, south, part[1]);
        pack_numbers(part[0], part[1], range.even[pair], range.odd[pair], row);
      }
    }
  }
}

template <class T>
void pack_all(const Task& task, Index k, const RowRange& range, Index room, const PairClasses& classes,
              const PanelFields& fields, const std::complex<T>* delta, double* halves) {
  for_each_panels(
      fields, [&](const PanelPlaces& panels) HWY_ATTR { pack_panels(task, k, range, classes, panels, delta, halves); });
  for (Index panel = 0; panel < panels_of(fields.count); ++panel)
    for (Index place = range.first + range.end - range.begin; place < range.first + room; ++place)
      std::fill_n(halves + (panel * classes.rows() + classes.place(place)) * kPanelRow, kPanelRow, 0.0);
}

void unpack_float(const Task& task, Index k, const RowRange& range, const PanelFields& fields, const double* halves,
                  std::complex<float>* delta) {
  unpack_all(task, k, range, fields, halves, delta);
}
void unpack_double(const Task& task, Index k, const RowRange& range, const PanelFields& fields, const double* halves,
                   std::complex<double>* delta) {
  unpack_all(task, k, range, fields, halves, delta);
}
void pack_float(const Task& task, Index k, const RowRange& range, Index room, const PairClasses& classes,
                const PanelFields& fields, const std::complex<float>* delta, double* halves) {
  pack_all(task, k, range, room, classes, fields, delta, halves);
}
void pack_double(const Task& task, Index k, const RowRange& range, Index room, const PairClasses& classes,
                 const PanelFields& fields, const std::complex<double>* delta, double* halves) {
  pack_all(task, k, range, room, classes, fields, delta, halves);
}

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

HWY_EXPORT(unpack_float);
HWY_EXPORT(unpack_double);
HWY_EXPORT(pack_float);
HWY_EXPORT(pack_double);
HWY_EXPORT(load_float);
HWY_EXPORT(load_double);
HWY_EXPORT(store_float);
HWY_EXPORT(store_double);
HWY_EXPORT(spread);
HWY_EXPORT(gather);

template <class T>
void unpack_rows(const Task& task, Index k, const RowRange& range, const PanelFields& fields, const double* halves,
                 std::complex<T>* delta) {
  if constexpr (std::is_same_v<T, float>)
    HWY_DYNAMIC_DISPATCH(unpack_float)(task, k, range, fields, halves, delta);
  else
    HWY_DYNAMIC_DISPATCH(unpack_double)(task, k, range, fields, halves, delta);
}

template <class T>
void pack_rows(const Task& task, Index k, const RowRange& range, Index room, const PairClasses& classes,
               const PanelFields& fields, const std::complex<T>* delta, double* halves) {
  if constexpr (std::is_same_v<T, float>)
    HWY_DYNAMIC_DISPATCH(pack_float)(task, k, range, room, classes, fields, delta, halves);
  else
    HWY_DYNAMIC_DISPATCH(pack_double)(task, k, range, room, classes, fields, delta, halves);
}

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

template void load_panel<float>(const StepFactors&, const PanelMaps<const float>&, double*);
template void load_panel<double>(const StepFactors&, const PanelMaps<const double>&, double*);
template void store_panel<float>(const StepFactors&, const double*, const PanelMaps<float>&);
template void store_panel<double>(const StepFactors&, const double*, const PanelMaps<double>&);
template void unpack_rows<float>(const Task&, Index, const RowRange&, const PanelFields&, const double*,
                                 std::complex<float>*);
template void unpack_rows<double>(const Task&, Index, const RowRange&, const PanelFields&, const double*,
                                  std::complex<double>*);
template void pack_rows<float>(const Task&, Index, const RowRange&, Index, const PairClasses&, const PanelFields&,
                               const std::complex<float>*, double*);
template void pack_rows<double>(const Task&, Index, const RowRange&, Index, const PairClasses&, const PanelFields&,
                                const std::complex<double>*, double*);

}  // namespace armilla::legendre
#endif
