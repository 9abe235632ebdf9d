// Vectors of complex numbers, compiled once per instruction set, for sources included by Highway's foreach_target.
#if defined(ARMILLA_FFT_COMPLEX_VECTOR) == defined(HWY_TARGET_TOGGLE)
#ifdef ARMILLA_FFT_COMPLEX_VECTOR
#undef ARMILLA_FFT_COMPLEX_VECTOR
#else
#define ARMILLA_FFT_COMPLEX_VECTOR
#endif

#include <armilla/fft/split_buffer.hpp>

#include <complex>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::fft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// At most 64 bytes: one cache line.
template <class T>
using Wide = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using One = hn::CappedTag<T, 1>;

/// Real and imaginary parts of as many complex values as D has lanes.
template <class D>
struct Complex {
  hn::Vec<D> re;
  hn::Vec<D> im;
};

template <class D>
HWY_INLINE Complex<D> nought(D d) {
  return {hn::Zero(d), hn::Zero(d)};
}

template <class D, class T>
HWY_INLINE Complex<D> load(D d, Split<const T> from) {
  return {hn::LoadU(d, from.re), hn::LoadU(d, from.im)};
}

template <class D, class T>
HWY_INLINE Complex<D> load(D d, const std::complex<T>* from) {
  const T* values = reinterpret_cast<const T*>(from);
  if constexpr (hn::MaxLanes(D()) == 1) {
    return {hn::LoadU(d, values), hn::LoadU(d, values + 1)};
  } else {
    hn::Vec<D> re = hn::Zero(d);
    hn::Vec<D> im = hn::Zero(d);
    hn::LoadInterleaved2(d, values, re, im);
    return {re, im};
  }
}

template <class D, class T>
HWY_INLINE void store(D d, const Complex<D>& z, Split<T> to) {
  hn::StoreU(z.re, d, to.re);
  hn::StoreU(z.im, d, to.im);
}

template <class D, class T>
HWY_INLINE void store(D d, const Complex<D>& z, std::complex<T>* to) {
  T* values = reinterpret_cast<T*>(to);
  if constexpr (hn::MaxLanes(D()) == 1) {
    hn::StoreU(z.re, d, values);
    hn::StoreU(z.im, d, values + 1);
  } else {
    hn::StoreInterleaved2(z.re, z.im, d, values);
  }
}

template <class D>
HWY_INLINE Complex<D> swapped(const Complex<D>& z) {
  return {z.im, z.re};
}

template <class D>
HWY_INLINE Complex<D> times(D, const Complex<D>& a, const Complex<D>& b) {
  return {hn::NegMulAdd(a.im, b.im, hn::Mul(a.re, b.re)), hn::MulAdd(a.im, b.re, hn::Mul(a.re, b.im))};
}

template <class D>
HWY_INLINE Complex<D> sum(D, const Complex<D>& a, const Complex<D>& b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}

template <class D>
HWY_INLINE Complex<D> difference(D, const Complex<D>& a, const Complex<D>& b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}

/// Calls body(tag, i), first for whole vectors, then for the remaining values one by one.
template <class T, class Body>
HWY_INLINE void for_each(Index count, const Body& body) {
  const Wide<T> wide;
  const auto lanes = static_cast<Index>(hn::Lanes(wide));
  Index i = 0;
  for (; i + lanes <= count; i += lanes) body(wide, i);
  for (; i < count; ++i) body(One<T>(), i);
}

}  // namespace armilla::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
