// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/transform/ring_columns.cpp"

#include <armilla/transform/ring_columns.hpp>

#include <type_traits>

// foreach_target.h comes first, and what it compiles again and again last.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::transform::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
template <class T>
using TagOf = hn::CappedTag<T, 1>;
#else
template <class T>
using TagOf = hn::ScalableTag<T>;
#endif

// Real and imaginary parts with a factor each, in turns. No fused products: the last numbers, which fill no vector, are
// to have the same bits.
template <class T>
struct Factors {
  T re, im;

  HWY_INLINE hn::Vec<TagOf<T>> vector() const {
    const TagOf<T> d;
    return hn::OddEven(hn::Set(d, im), hn::Set(d, re));
  }
  T of(Index number) const { return number % 2 == 0 ? re : im; }
};

// to = factors * from.
template <class T>
HWY_INLINE void scale(const T* from, Factors<T> factors, Index count, T* to) {
  const TagOf<T> d;
  Index i = 0;
  if constexpr (hn::MaxLanes(TagOf<T>()) > 1) {
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    for (; i + lanes <= count; i += lanes) hn::StoreU(hn::Mul(factors.vector(), hn::LoadU(d, from + i)), d, to + i);
  }
  for (; i < count; ++i) to[i] = factors.of(i) * from[i];
}

// to = from - factors * delta.
template <class T>
HWY_INLINE void take_off(const T* delta, Factors<T> factors, Index count, const T* from, T* to) {
  const TagOf<T> d;
  Index i = 0;
  if constexpr (hn::MaxLanes(TagOf<T>()) > 1) {
    const auto lanes = static_cast<Index>(hn::Lanes(d));
    for (; i + lanes <= count; i += lanes)
      hn::StoreU(hn::Sub(hn::LoadU(d, from + i), hn::Mul(factors.vector(), hn::LoadU(d, delta + i))), d, to + i);
  }
  for (; i < count; ++i) to[i] = from[i] - factors.of(i) * delta[i];
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
void gather(const RingColumns& rings, Index m, SlotRange slots, const std::complex<T>* spectra,
            std::complex<T>* column) {
  const Index width = rings.width;
  for (Index slot = slots.begin; slot < slots.end; ++slot) {
    const RingAliases::Alias alias = rings.aliases->of(m, slot);
    const std::complex<T>* from = spectra + rings.place(alias.c, slot);
    std::complex<T>* to = column + slot * width;
    const auto re = static_cast<T>(alias.phase.real());
    const auto im = static_cast<T>(alias.phase.imag());
    if (im == 0) {
      scale<T>(numbers(from), {re, alias.conjugate ? -re : re}, 2 * width, numbers(to));
      continue;
    }
    for (Index w = 0; w < width; ++w) {
      const T x = from[w].real();
      const T y = alias.conjugate ? -from[w].imag() : from[w].imag();
      to[w] = {re * x - im * y, re * y + im * x};
    }
  }
}

// Of an m other than 0 that is not its own class alone.
template <class T>
void take_off_alias(const RingColumns& rings, const RingAliases::Alias& alias, Index slot, double factor,
                    const std::complex<T>* delta, const std::complex<T>* from, std::complex<T>* to) {
  const bool twice = rings.aliases->is_own_mirror(alias.c, slot);
  const auto re = static_cast<T>(factor * alias.phase.real());
  const auto im = static_cast<T>(-factor * alias.phase.imag());
  if (!twice && im == 0) {
    take_off<T>(numbers(delta), {re, alias.conjugate ? -re : re}, 2 * rings.width, numbers(from), numbers(to));
    return;
  }
  const std::complex<double> turned = alias.c == 0 ? 1.0 : rings.aliases->turned(slot);
  const auto turned_re = static_cast<T>(turned.real());
  const auto turned_im = static_cast<T>(turned.imag());
  for (Index w = 0; w < rings.width; ++w) {
    const T x = re * delta[w].real() - im * delta[w].imag();
    T y = re * delta[w].imag() + im * delta[w].real();
    if (alias.conjugate) y = -y;
    std::complex<T> v{x, y};
    if (twice) v += std::complex<T>{x * turned_re + y * turned_im, x * turned_im - y * turned_re};
    to[w] = from[w] - v;
  }
}

template <class T>
void take_off_all(const RingColumns& rings, Index m, SlotRange slots, std::span<const double> factor,
                  const std::complex<T>* column, const std::complex<T>* from, std::complex<T>* to) {
  const Index width = rings.width;
  for (Index slot = slots.begin; slot < slots.end; ++slot) {
    const std::complex<T>* delta = column + slot * width;
    const double f = factor[static_cast<std::size_t>(slot)];
    if (rings.aliases->is_plain(m, slot) || m == 0) {
      const Index place = rings.place(m, slot);
      const auto re = static_cast<T>(f);
      take_off<T>(numbers(delta), {re, m == 0 ? T{0} : re}, 2 * width, numbers(from + place), numbers(to + place));
      continue;
    }
    const RingAliases::Alias alias = rings.aliases->of(m, slot);
    const Index place = rings.place(alias.c, slot);
    take_off_alias(rings, alias, slot, f, delta, (alias.c == m ? from : to) + place, to + place);
  }
}

void gather_float(const RingColumns& rings, Index m, SlotRange slots, const std::complex<float>* spectra,
                  std::complex<float>* column) {
  gather(rings, m, slots, spectra, column);
}
void gather_double(const RingColumns& rings, Index m, SlotRange slots, const std::complex<double>* spectra,
                   std::complex<double>* column) {
  gather(rings, m, slots, spectra, column);
}
void take_off_float(const RingColumns& rings, Index m, SlotRange slots, std::span<const double> factor,
                    const std::complex<float>* column, const std::complex<float>* from, std::complex<float>* to) {
  take_off_all(rings, m, slots, factor, column, from, to);
}
void take_off_double(const RingColumns& rings, Index m, SlotRange slots, std::span<const double> factor,
                     const std::complex<double>* column, const std::complex<double>* from, std::complex<double>* to) {
  take_off_all(rings, m, slots, factor, column, from, to);
}

}  // namespace armilla::transform::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::transform {

HWY_EXPORT(gather_float);
HWY_EXPORT(gather_double);
HWY_EXPORT(take_off_float);
HWY_EXPORT(take_off_double);

template <class T>
void gather_column(const RingColumns& rings, Index m, SlotRange slots, const std::complex<T>* spectra,
                   std::complex<T>* column) {
  if constexpr (std::is_same_v<T, float>)
    HWY_DYNAMIC_DISPATCH(gather_float)(rings, m, slots, spectra, column);
  else
    HWY_DYNAMIC_DISPATCH(gather_double)(rings, m, slots, spectra, column);
}

template <class T>
void take_off_column(const RingColumns& rings, Index m, SlotRange slots, std::span<const double> factor,
                     const std::complex<T>* column, const std::complex<T>* from, std::complex<T>* to) {
  if constexpr (std::is_same_v<T, float>)
    HWY_DYNAMIC_DISPATCH(take_off_float)(rings, m, slots, factor, column, from, to);
  else
    HWY_DYNAMIC_DISPATCH(take_off_double)(rings, m, slots, factor, column, from, to);
}

template void gather_column<float>(const RingColumns&, Index, SlotRange, const std::complex<float>*,
                                   std::complex<float>*);
template void gather_column<double>(const RingColumns&, Index, SlotRange, const std::complex<double>*,
                                    std::complex<double>*);
template void take_off_column<float>(const RingColumns&, Index, SlotRange, std::span<const double>,
                                     const std::complex<float>*, const std::complex<float>*, std::complex<float>*);
template void take_off_column<double>(const RingColumns&, Index, SlotRange, std::span<const double>,
                                      const std::complex<double>*, const std::complex<double>*, std::complex<double>*);

}  // namespace armilla::transform
#endif
