// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/legendre/batch_rows.cpp"

#include <armilla/core/instantiate.hpp>
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
// With `stream`, uses non-temporal stores. Delta of many maps has usually left the caches before it is read again, and
// such stores avoid reading the lines that they overwrite.
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

// Whether a cache line begins at this address.
HWY_INLINE bool is_line(const void* ring) {
  constexpr std::uintptr_t kLine = 64;
  return ring != nullptr && reinterpret_cast<std::uintptr_t>(ring) % kLine == 0;
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

// Positions of the fields of a panel among the fields of a ring.
struct PanelPlace {
  Index field = 0;     // first field
  Index count = 0;     // number of fields
  Index place = 0;     // position of the first field
  bool whole = false;  // all fields of the panel are present and adjacent

  PanelPlace() = default;
  PanelPlace(const PanelFields& fields, Index panel)
      : field(panel * kPanelFields),
        count(std::min(kPanelFields, fields.count - field)),
        place(fields.place(field)),
        whole(count == kPanelFields && fields.place(field + count - 1) - place == count - 1) {}

  // Copies between a ring, which must exist, and adjacent values, for a panel that is not whole.
  template <class T>
  void scatter(const PanelFields& fields, const T* from, T* ring) const {
    for (Index i = 0; i < count; ++i) std::copy_n(from + 2 * i, 2, ring + 2 * fields.place(field + i));
  }
  template <class T>
  void gather(const PanelFields& fields, const T* ring, T* to) const {
    for (Index i = 0; i < count; ++i) std::copy_n(ring + 2 * fields.place(field + i), 2, to + 2 * i);
  }
};

// Some panels, precomputed to avoid divisions.
struct PanelPlaces {
  static constexpr Index kMax = 16;
  const PanelFields& fields;
  Index first;  // first panel
  Index count;
  PanelPlace panel[kMax];

  PanelPlaces(const PanelFields& fields_, Index first_)
      : fields(fields_), first(first_), count(std::min(kMax, panels_of(fields_.count) - first_)) {
    for (Index i = 0; i < count; ++i) panel[i] = PanelPlace(fields, first + i);
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
void unpack_all(const PairRings* pairs, Index count, const PanelFields& fields, Index panel, bool streamed,
                const double* halves, std::complex<T>* delta) {
  const PanelPlace place(fields, panel);
  const auto ring_at = [&](Index position) { return position >= 0 ? reinterpret_cast<T*>(delta + position) : nullptr; };
  for (Index i = 0; i < count; ++i, halves += kPanelRow) {
    T* north = ring_at(pairs[i].north);
    T* south = ring_at(pairs[i].south);
    if (place.whole) {
      if (north != nullptr) north += 2 * place.place;
      if (south != nullptr) south += 2 * place.place;
      unpack_numbers(halves, pairs[i].even, pairs[i].odd, streamed && is_line(north) && is_line(south), north, south);
    } else {
      T part[2][kHalf];
      unpack_numbers(halves, pairs[i].even, pairs[i].odd, false, part[0], part[1]);
      if (north != nullptr) place.scatter(fields, part[0], north);
      if (south != nullptr) place.scatter(fields, part[1], south);
    }
  }
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
      const PanelPlace& panel = panels.panel[i];
      fetch(north_ahead, panel.place);
      fetch(south_ahead, panel.place);
      if (panel.whole) {
        const Index first = 2 * panel.place;
        pack_numbers(north == nullptr ? kZeros : north + first, south == nullptr ? kZeros : south + first,
                     range.even[pair], range.odd[pair], row);
      } else {
        T part[2][kHalf] = {};
        if (north != nullptr) panel.gather(panels.fields, north, part[0]);
        if (south != nullptr) panel.gather(panels.fields, south, part[1]);
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

void unpack_float(const PairRings* pairs, Index count, const PanelFields& fields, Index panel, bool streamed,
                  const double* halves, std::complex<float>* delta) {
  unpack_all(pairs, count, fields, panel, streamed, halves, delta);
}
void unpack_double(const PairRings* pairs, Index count, const PanelFields& fields, Index panel, bool streamed,
                   const double* halves, std::complex<double>* delta) {
  unpack_all(pairs, count, fields, panel, streamed, halves, delta);
}
void pack_float(const Task& task, Index k, const RowRange& range, Index room, const PairClasses& classes,
                const PanelFields& fields, const std::complex<float>* delta, double* halves) {
  pack_all(task, k, range, room, classes, fields, delta, halves);
}
void pack_double(const Task& task, Index k, const RowRange& range, Index room, const PairClasses& classes,
                 const PanelFields& fields, const std::complex<double>* delta, double* halves) {
  pack_all(task, k, range, room, classes, fields, delta, halves);
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::legendre {

HWY_EXPORT(unpack_float);
HWY_EXPORT(unpack_double);
HWY_EXPORT(pack_float);
HWY_EXPORT(pack_double);

template <class T>
void unpack_panel(const PairRings* pairs, Index count, const PanelFields& fields, Index panel, bool streamed,
                  const double* halves, std::complex<T>* delta) {
  if constexpr (std::is_same_v<T, float>)
    HWY_DYNAMIC_DISPATCH(unpack_float)(pairs, count, fields, panel, streamed, halves, delta);
  else
    HWY_DYNAMIC_DISPATCH(unpack_double)(pairs, count, fields, panel, streamed, halves, delta);
}

void finish_streams() { hwy::FlushStream(); }

template <class T>
void pack_rows(const Task& task, Index k, const RowRange& range, Index room, const PairClasses& classes,
               const PanelFields& fields, const std::complex<T>* delta, double* halves) {
  if constexpr (std::is_same_v<T, float>)
    HWY_DYNAMIC_DISPATCH(pack_float)(task, k, range, room, classes, fields, delta, halves);
  else
    HWY_DYNAMIC_DISPATCH(pack_double)(task, k, range, room, classes, fields, delta, halves);
}

ARMILLA_INSTANTIATE(unpack_panel);
ARMILLA_INSTANTIATE(pack_rows);

}  // namespace armilla::legendre
#endif
