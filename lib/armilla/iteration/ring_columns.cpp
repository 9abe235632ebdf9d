// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/iteration/ring_columns.cpp"

#include <armilla/core/instantiate.hpp>
#include <armilla/iteration/ring_columns.hpp>

#include <type_traits>

// foreach_target.h must be included first, and headers that it compiles repeatedly last.
// clang-format off
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::iteration::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <class T>
using TagOf = hn::CappedTag<T, 1>;
#else
template <class T>
using TagOf = hn::ScalableTag<T>;
#endif

// math::PairMap for values of type T. No FMA contraction, so that the scalar remainder loop is bitwise identical to the
// vector loop. Alternating add/subtract instructions are also avoided, because GCC 12 fuses them incorrectly.
template <class T>
struct PairMap {
  T a, b, c, d;

  static PairMap of(const math::PairMap& map) {
    return {static_cast<T>(map.a), static_cast<T>(map.b), static_cast<T>(map.c), static_cast<T>(map.d)};
  }
  bool is_diagonal() const { return b == 0 && d == 0; }
};

template <class T>
HWY_INLINE hn::Vec<TagOf<T>> in_turns(T even, T odd) {
  const TagOf<T> d;
  return hn::OddEven(hn::Set(d, odd), hn::Set(d, even));
}

// Calls store(i, image) for vectors of images of `count` values, and rest(i, image) for the remaining values.
template <class T, class Store, class Rest>
HWY_INLINE void apply(const PairMap<T>& map, const T* from, Index count, const Store& store, const Rest& rest) {
  Index i = 0;
  if constexpr (hn::MaxLanes(TagOf<T>()) > 1) {
    const TagOf<T> d;
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    const auto straight = in_turns(map.a, map.c);
    const auto crossed = in_turns(map.b, map.d);
    if (map.is_diagonal()) {
      for (; i + lanes <= count; i += lanes) store(i, hn::Mul(straight, hn::LoadU(d, from + i)));
    } else {
      for (; i + lanes <= count; i += lanes) {
        const auto x = hn::LoadU(d, from + i);
        store(i, hn::Add(hn::Mul(straight, x), hn::Mul(crossed, hn::Reverse2(d, x))));
      }
    }
  }
  for (; i < count; i += 2) {
    const T re = from[i];
    const T im = from[i + 1];
    rest(i, map.is_diagonal() ? map.a * re : map.a * re + map.b * im);
    rest(i + 1, map.is_diagonal() ? map.c * im : map.c * im + map.d * re);
  }
}

// to = map(from).
template <class T>
HWY_INLINE void assign(const PairMap<T>& map, const T* from, Index count, T* to) {
  const TagOf<T> d;
  apply(
      map, from, count, [&](Index i, hn::Vec<TagOf<T>> image) HWY_ATTR { hn::StoreU(image, d, to + i); },
      [&](Index i, T image) { to[i] = image; });
}

// modes -= map(delta).
template <class T>
HWY_INLINE void subtract(const PairMap<T>& map, const T* delta, Index count, T* modes) {
  const TagOf<T> d;
  apply(
      map, delta, count,
      [&](Index i, hn::Vec<TagOf<T>> image)
          HWY_ATTR { hn::StoreU(hn::Sub(hn::LoadU(d, modes + i), image), d, modes + i); },
      [&](Index i, T image) { modes[i] -= image; });
}

template <class T>
HWY_INLINE T* numbers(std::complex<T>* complex) {
  return reinterpret_cast<T*>(complex);
}
template <class T>
HWY_INLINE const T* numbers(const std::complex<T>* complex) {
  return reinterpret_cast<const T*>(complex);
}

template <class T>
void gather(const RingColumns& rings, Index m, SlotRange slots, const std::complex<T>* modes, std::complex<T>* column) {
  for (Index slot = slots.begin; slot < slots.end; ++slot) {
    const math::RingAlias alias = rings.aliases->of(m, slot);
    assign(PairMap<T>::of(math::alias_of_class(alias, rings.aliases->turn(slot, alias.turns))),
           numbers(modes + rings.place(alias.c, slot)), 2 * rings.width, numbers(column + slot * rings.width));
  }
}

template <class T>
void subtract_all(const RingColumns& rings, Index m, SlotRange slots, std::span<const double> factor,
                  const std::complex<T>* column, std::complex<T>* modes) {
  for (Index slot = slots.begin; slot < slots.end; ++slot) {
    const T* delta = numbers(column + slot * rings.width);
    const double f = factor[static_cast<std::size_t>(slot)];
    if (rings.aliases->is_plain(m, slot) || m == 0) {
      const Index place = rings.place(m, slot);
      subtract(PairMap<T>::of({f, 0, m == 0 ? 0 : f, 0}), delta, 2 * rings.width, numbers(modes + place));
      continue;
    }
    const math::RingAlias alias = rings.aliases->of(m, slot);
    const Index place = rings.place(alias.c, slot);
    const math::PairMap map = math::class_of_alias(
        m, rings.aliases->nphi(slot), alias, rings.aliases->turn(slot, alias.turns), rings.aliases->turn(slot, 1), f);
    subtract(PairMap<T>::of(map), delta, 2 * rings.width, numbers(modes + place));
  }
}

void gather_float(const RingColumns& rings, Index m, SlotRange slots, const std::complex<float>* modes,
                  std::complex<float>* column) {
  gather(rings, m, slots, modes, column);
}
void gather_double(const RingColumns& rings, Index m, SlotRange slots, const std::complex<double>* modes,
                   std::complex<double>* column) {
  gather(rings, m, slots, modes, column);
}
void subtract_float(const RingColumns& rings, Index m, SlotRange slots, std::span<const double> factor,
                    const std::complex<float>* column, std::complex<float>* modes) {
  subtract_all(rings, m, slots, factor, column, modes);
}
void subtract_double(const RingColumns& rings, Index m, SlotRange slots, std::span<const double> factor,
                     const std::complex<double>* column, std::complex<double>* modes) {
  subtract_all(rings, m, slots, factor, column, modes);
}

}  // namespace armilla::iteration::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::iteration {

template <class T>
void fetch_column(const RingColumns& rings, Index m, SlotRange slots, const std::complex<T>* modes) {
  constexpr std::size_t kLine = 64;
  const std::size_t bytes = static_cast<std::size_t>(rings.width) * sizeof(std::complex<T>);
  for (Index slot = slots.begin; slot < slots.end; ++slot) {
    const auto* row = reinterpret_cast<const char*>(modes + rings.place(rings.aliases->of(m, slot).c, slot));
    for (std::size_t i = 0; i < bytes; i += kLine) hwy::Prefetch(row + i);
  }
}

HWY_EXPORT(gather_float);
HWY_EXPORT(gather_double);
HWY_EXPORT(subtract_float);
HWY_EXPORT(subtract_double);

template <class T>
void gather_column(const RingColumns& rings, Index m, SlotRange slots, const std::complex<T>* modes,
                   std::complex<T>* column) {
  if constexpr (std::is_same_v<T, float>)
    HWY_DYNAMIC_DISPATCH(gather_float)(rings, m, slots, modes, column);
  else
    HWY_DYNAMIC_DISPATCH(gather_double)(rings, m, slots, modes, column);
}

template <class T>
void subtract_column(const RingColumns& rings, Index m, SlotRange slots, std::span<const double> factor,
                     const std::complex<T>* column, std::complex<T>* modes) {
  if constexpr (std::is_same_v<T, float>)
    HWY_DYNAMIC_DISPATCH(subtract_float)(rings, m, slots, factor, column, modes);
  else
    HWY_DYNAMIC_DISPATCH(subtract_double)(rings, m, slots, factor, column, modes);
}

ARMILLA_INSTANTIATE(fetch_column);
ARMILLA_INSTANTIATE(gather_column);
ARMILLA_INSTANTIATE(subtract_column);

}  // namespace armilla::iteration
#endif
