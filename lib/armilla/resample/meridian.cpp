// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/resample/meridian.cpp"

#include <armilla/resample/meridian.hpp>

#include <algorithm>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::resample::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Complex = std::complex<double>;
inline const double* raw(const Complex* p) { return reinterpret_cast<const double*>(p); }
inline double* raw(Complex* p) { return reinterpret_cast<double*>(p); }

// Operations on one or more complex values in a vector: elements i .. i + lanes - 1 of an array, or i, i - 1 .. i -
// lanes + 1 (load_down).
#if HWY_TARGET == HWY_SCALAR

struct OneTag {};
using ManyTag = OneTag;
constexpr Index kComplexLanes = 1;

inline Complex load(OneTag, const Complex* array, Index i) { return array[i]; }
inline Complex load_down(OneTag, const Complex* array, Index i) { return array[i]; }
inline void store(OneTag, Complex x, Complex* array, Index i) { array[i] = x; }
inline Complex scaled(OneTag, double s, Complex x) { return s * x; }
inline Complex plus_scaled(OneTag, Complex x, double s, Complex y) { return x + s * y; }
inline Complex plus_turned(OneTag, Complex x, double s, Complex y) {
  return {x.real() - s * y.imag(), x.imag() + s * y.real()};
}
inline Complex combined(OneTag, Complex t, Complex x, Complex y, double s) {
  return {t.real() * x.real() - s * t.imag() * y.imag(), t.real() * x.imag() + s * t.imag() * y.real()};
}

#else

using OneTag = hn::CappedTag<double, 2>;   // a complex value is a block of 128 bits
using ManyTag = hn::CappedTag<double, 8>;  // as many as fit in a vector, four at most
constexpr Index kComplexLanes = static_cast<Index>(hn::MaxLanes(ManyTag())) / 2;

template <class D>
HWY_INLINE hn::Vec<D> load(D d, const Complex* array, Index i) {
  return hn::LoadU(d, raw(array + i));
}
template <class D>
HWY_INLINE hn::Vec<D> load_down(D d, const Complex* array, Index i) {
  constexpr auto lanes = static_cast<Index>(hn::MaxLanes(D())) / 2;
  return hn::ReverseBlocks(d, hn::LoadU(d, raw(array + i + 1 - lanes)));
}
template <class D>
HWY_INLINE void store(D d, hn::Vec<D> x, Complex* array, Index i) {
  hn::StoreU(x, d, raw(array + i));
}
template <class D>
HWY_INLINE hn::Vec<D> scaled(D d, double s, hn::Vec<D> x) {
  return hn::Mul(hn::Set(d, s), x);
}
// x + s y
template <class D>
HWY_INLINE hn::Vec<D> plus_scaled(D d, hn::Vec<D> x, double s, hn::Vec<D> y) {
  return hn::MulAdd(hn::Set(d, s), y, x);
}
// s i, as factors of (im, re)
template <class D>
HWY_INLINE hn::Vec<D> turn(D d, double s) {
  return hn::OddEven(hn::Set(d, s), hn::Set(d, -s));
}
// x + s i y
template <class D>
HWY_INLINE hn::Vec<D> plus_turned(D d, hn::Vec<D> x, double s, hn::Vec<D> y) {
  return hn::MulAdd(turn(d, s), hn::Shuffle01(y), x);
}
// re(t) x + s i im(t) y
template <class D>
HWY_INLINE hn::Vec<D> combined(D d, hn::Vec<D> t, hn::Vec<D> x, hn::Vec<D> y, double s) {
  return hn::MulAdd(hn::DupEven(t), x, hn::Mul(hn::Mul(hn::DupOdd(t), turn(d, s)), hn::Shuffle01(y)));
}

#endif

// Calls step(d, i) with whole vectors for i = begin, begin + lanes .. end - 1, and with single values for the rest.
template <class Step>
HWY_INLINE void over_range(Index begin, Index end, Step&& step) {
  Index i = begin;
  for (; i + kComplexLanes <= end; i += kComplexLanes) step(ManyTag(), i);
  for (; i < end; ++i) step(OneTag(), i);
}

void rings_to_sequence(ConstHalves rings, Index pairs, double sign, Complex* sequence) {
  const OneTag d;
  const Complex* north = rings.north;
  const Complex* south = rings.south;
  Complex* descending = sequence + pairs;
  for (Index n = 0; 2 * n < pairs; ++n, north += 2 * rings.step, south += 2 * rings.step) {
    store(d, load(d, north, 0), sequence, n);
    store(d, scaled(d, sign, load(d, south, 0)), sequence, pairs + n);
    store(d, scaled(d, sign, load(d, north, rings.step)), descending, pairs - 1 - n);
    store(d, load(d, south, rings.step), descending, -1 - n);
  }
}

void sequence_to_rings(const Complex* sequence, Index pairs, double sign, Halves rings) {
  const OneTag d;
  Complex* north = rings.north;
  Complex* south = rings.south;
  const Complex* descending = sequence + pairs;
  for (Index n = 0; 2 * n < pairs; ++n, north += 2 * rings.step, south += 2 * rings.step) {
    store(d, scaled(d, sign, load(d, sequence, n)), north, 0);
    store(d, load(d, sequence, pairs + n), south, 0);
    store(d, load(d, descending, pairs - 1 - n), north, rings.step);
    store(d, scaled(d, sign, load(d, descending, -1 - n)), south, rings.step);
  }
}

void fold_spectrum(const Complex* spectrum, Index length, const Complex* twiddle, double sign, Index degree,
                   Complex* coefficients) {
  coefficients[0] = twiddle[0].real() * (1 + sign) * spectrum[0];
  over_range(1, degree + 1, [&](auto d, Index k) HWY_ATTR {
    const auto x = load(d, spectrum, k);
    const auto mirror = load_down(d, spectrum, length - k);
    // t x + sign conj(t) mirror = re(t) (x + sign mirror) + i im(t) (x - sign mirror)
    const auto sum = plus_scaled(d, x, sign, mirror);
    const auto difference = plus_scaled(d, x, -sign, mirror);
    store(d, combined(d, load(d, twiddle, k), sum, difference, 1), coefficients, k);
  });
}

void unfold_spectrum(const Complex* coefficients, Index length, const Complex* twiddle, double sign, Index degree,
                     Complex* spectrum) {
  const Index mirrored = length - degree;  // coefficient length - k exists from this k on
  spectrum[0] = (1 + sign) * coefficients[0];
  over_range(1, std::min(degree + 1, mirrored), [&](auto d, Index k) HWY_ATTR {
    const auto x = load(d, coefficients, k);
    store(d, combined(d, load(d, twiddle, k), x, x, 1), spectrum, k);
  });
  over_range(mirrored, degree + 1, [&](auto d, Index k) HWY_ATTR {
    // conj(t_{length - k}) = i t_k
    const auto x = plus_turned(d, load(d, coefficients, k), sign, load_down(d, coefficients, length - k));
    store(d, combined(d, load(d, twiddle, k), x, x, 1), spectrum, k);
  });
  for (Index k = degree + 1; k < mirrored; ++k) spectrum[k] = 0;
  over_range(std::max(degree + 1, mirrored), length, [&](auto d, Index k) HWY_ATTR {
    const auto x = scaled(d, sign, load_down(d, coefficients, length - k));
    store(d, combined(d, load_down(d, twiddle, length - k), x, x, -1), spectrum, k);
  });
}

void weigh_sequence(const double* weights, double sign, Index length, Complex* sequence) {
  for (Index i = 0; i < length; ++i) sequence[i] *= sign * weights[i];
}

}  // namespace armilla::resample::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::resample {

HWY_EXPORT(rings_to_sequence);
HWY_EXPORT(sequence_to_rings);
HWY_EXPORT(fold_spectrum);
HWY_EXPORT(unfold_spectrum);
HWY_EXPORT(weigh_sequence);

void rings_to_sequence(ConstHalves rings, Index pairs, double sign, std::complex<double>* sequence) {
  HWY_DYNAMIC_DISPATCH(rings_to_sequence)(rings, pairs, sign, sequence);
}

void sequence_to_rings(const std::complex<double>* sequence, Index pairs, double sign, Halves rings) {
  HWY_DYNAMIC_DISPATCH(sequence_to_rings)(sequence, pairs, sign, rings);
}

void fold_spectrum(const std::complex<double>* spectrum, Index length, const std::complex<double>* twiddle, double sign,
                   Index degree, std::complex<double>* coefficients) {
  HWY_DYNAMIC_DISPATCH(fold_spectrum)(spectrum, length, twiddle, sign, degree, coefficients);
}

void unfold_spectrum(const std::complex<double>* coefficients, Index length, const std::complex<double>* twiddle,
                     double sign, Index degree, std::complex<double>* spectrum) {
  HWY_DYNAMIC_DISPATCH(unfold_spectrum)(coefficients, length, twiddle, sign, degree, spectrum);
}

void weigh_sequence(const double* weights, double sign, Index length, std::complex<double>* sequence) {
  HWY_DYNAMIC_DISPATCH(weigh_sequence)(weights, sign, length, sequence);
}

}  // namespace armilla::resample
#endif
