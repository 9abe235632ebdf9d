// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/fft/chirp_kernel.cpp"

#include <armilla/fft/chirp_kernel.hpp>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

// clang-format off: compiled once per instruction set, so it must follow foreach_target.h
#include <armilla/fft/complex_vector-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::fft::HWY_NAMESPACE {

template <class T>
HWY_INLINE void load_four(One<T> d, const std::complex<T>* from, Complex<One<T>>* z) {
  for (int r = 0; r < 4; ++r) z[r] = load(d, from + r);
}

#if HWY_TARGET != HWY_SCALAR
template <class V, class D>
HWY_INLINE void sort_four(D d, const V& a0, const V& a1, const V& a2, const V& a3, V& b0, V& b1, V& b2, V& b3) {
  const V even01 = hn::ConcatEven(d, a1, a0);
  const V even23 = hn::ConcatEven(d, a3, a2);
  const V odd01 = hn::ConcatOdd(d, a1, a0);
  const V odd23 = hn::ConcatOdd(d, a3, a2);
  b0 = hn::ConcatEven(d, even23, even01);
  b1 = hn::ConcatEven(d, odd23, odd01);
  b2 = hn::ConcatOdd(d, even23, even01);
  b3 = hn::ConcatOdd(d, odd23, odd01);
}

// Loads four interleaved sequences from 4 consecutive vectors of complex values.
template <class T>
HWY_INLINE void load_four(Wide<T> d, const std::complex<T>* from, Complex<Wide<T>>* z) {
  const auto lanes = static_cast<Index>(hn::Lanes(d));
  Complex<Wide<T>> v[4] = {nought(d), nought(d), nought(d), nought(d)};
  for (int r = 0; r < 4; ++r) v[r] = load(d, from + r * lanes);
  sort_four(d, v[0].re, v[1].re, v[2].re, v[3].re, z[0].re, z[1].re, z[2].re, z[3].re);
  sort_four(d, v[0].im, v[1].im, v[2].im, v[3].im, z[0].im, z[1].im, z[2].im, z[3].im);
}
#endif

template <class T>
void modulate_all(const std::complex<T>* in, Split<const T> chirp, Index parts, Index count, Index stride,
                  std::complex<T>* out) {
  if (parts == 1) {
    for_each<T>(count,
                [&](auto d, Index j) HWY_ATTR { store(d, times(d, load(d, in + j), load(d, chirp + j)), out + j); });
    return;
  }
  for_each<T>(count, [&](auto d, Index j) HWY_ATTR {
    using D = decltype(d);
    const Complex<D> c = load(d, chirp + j);
    Complex<D> z[4] = {nought(d), nought(d), nought(d), nought(d)};
    load_four<T>(d, in + 4 * j, z);
    for (int r = 0; r < 4; ++r) store(d, times(d, z[r], c), out + (r * stride + j));
  });
}

template <class T>
void multiply_all(Split<const T> filter, Index count, std::complex<T>* z) {
  for_each<T>(count, [&](auto d, Index t)
                         HWY_ATTR { store(d, swapped(times(d, load(d, z + t), load(d, filter + t))), z + t); });
}

template <class T>
void combine_all(const std::complex<T>* in, Split<const T> chirp, Split<const T> twiddle, Index parts, Index count,
                 Index stride, std::complex<T>* out) {
  if (parts == 1) {
    for_each<T>(count, [&](auto d, Index k)
                           HWY_ATTR { store(d, times(d, swapped(load(d, in + k)), load(d, chirp + k)), out + k); });
    return;
  }
  for_each<T>(count, [&](auto d, Index k) HWY_ATTR {
    using D = decltype(d);
    const Complex<D> w = load(d, twiddle + k);
    const Complex<D> f0 = load(d, chirp + k);
    const Complex<D> f1 = times(d, f0, w);
    const Complex<D> f2 = times(d, f1, w);
    const Complex<D> f3 = times(d, f2, w);
    const Complex<D> y0 = times(d, swapped(load(d, in + k)), f0);
    const Complex<D> y1 = times(d, swapped(load(d, in + (stride + k))), f1);
    const Complex<D> y2 = times(d, swapped(load(d, in + (2 * stride + k))), f2);
    const Complex<D> y3 = times(d, swapped(load(d, in + (3 * stride + k))), f3);
    const Complex<D> even = sum(d, y0, y2);
    const Complex<D> odd = sum(d, y1, y3);
    const Complex<D> p = difference(d, y0, y2);
    const Complex<D> q = difference(d, y1, y3);
    store(d, sum(d, even, odd), out + k);
    store(d, Complex<D>{hn::Add(p.re, q.im), hn::Sub(p.im, q.re)}, out + (count + k));
    store(d, difference(d, even, odd), out + (2 * count + k));
    store(d, Complex<D>{hn::Sub(p.re, q.im), hn::Add(p.im, q.re)}, out + (3 * count + k));
  });
}

void modulate_float(const std::complex<float>* in, Split<const float> chirp, Index parts, Index count, Index stride,
                    std::complex<float>* out) {
  modulate_all(in, chirp, parts, count, stride, out);
}
void modulate_double(const std::complex<double>* in, Split<const double> chirp, Index parts, Index count, Index stride,
                     std::complex<double>* out) {
  modulate_all(in, chirp, parts, count, stride, out);
}
void multiply_float(Split<const float> filter, Index count, std::complex<float>* z) { multiply_all(filter, count, z); }
void multiply_double(Split<const double> filter, Index count, std::complex<double>* z) {
  multiply_all(filter, count, z);
}
void combine_float(const std::complex<float>* in, Split<const float> chirp, Split<const float> twiddle, Index parts,
                   Index count, Index stride, std::complex<float>* out) {
  combine_all(in, chirp, twiddle, parts, count, stride, out);
}
void combine_double(const std::complex<double>* in, Split<const double> chirp, Split<const double> twiddle, Index parts,
                    Index count, Index stride, std::complex<double>* out) {
  combine_all(in, chirp, twiddle, parts, count, stride, out);
}

}  // namespace armilla::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::fft {

HWY_EXPORT(modulate_float);
HWY_EXPORT(modulate_double);
HWY_EXPORT(multiply_float);
HWY_EXPORT(multiply_double);
HWY_EXPORT(combine_float);
HWY_EXPORT(combine_double);

void modulate(const std::complex<float>* in, Split<const float> chirp, Index parts, Index count, Index stride,
              std::complex<float>* out) {
  HWY_DYNAMIC_DISPATCH(modulate_float)(in, chirp, parts, count, stride, out);
}
void modulate(const std::complex<double>* in, Split<const double> chirp, Index parts, Index count, Index stride,
              std::complex<double>* out) {
  HWY_DYNAMIC_DISPATCH(modulate_double)(in, chirp, parts, count, stride, out);
}
void multiply(Split<const float> filter, Index count, std::complex<float>* z) {
  HWY_DYNAMIC_DISPATCH(multiply_float)(filter, count, z);
}
void multiply(Split<const double> filter, Index count, std::complex<double>* z) {
  HWY_DYNAMIC_DISPATCH(multiply_double)(filter, count, z);
}
void combine(const std::complex<float>* in, Split<const float> chirp, Split<const float> twiddle, Index parts,
             Index count, Index stride, std::complex<float>* out) {
  HWY_DYNAMIC_DISPATCH(combine_float)(in, chirp, twiddle, parts, count, stride, out);
}
void combine(const std::complex<double>* in, Split<const double> chirp, Split<const double> twiddle, Index parts,
             Index count, Index stride, std::complex<double>* out) {
  HWY_DYNAMIC_DISPATCH(combine_double)(in, chirp, twiddle, parts, count, stride, out);
}

}  // namespace armilla::fft
#endif
