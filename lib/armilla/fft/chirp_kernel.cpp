// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/fft/chirp_kernel.cpp"

#include <armilla/fft/chirp_kernel.hpp>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::fft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Wide = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
using One = hn::CappedTag<T, 1>;

template <class D>
struct Complex {
  hn::Vec<D> re;
  hn::Vec<D> im;
};

template <class D, class T>
HWY_INLINE Complex<D> load(D d, Split<const T> from) {
  return {hn::LoadU(d, from.re), hn::LoadU(d, from.im)};
}

template <class D, class T>
HWY_INLINE void store(D d, const Complex<D>& z, Split<T> to) {
  hn::StoreU(z.re, d, to.re);
  hn::StoreU(z.im, d, to.im);
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

// Calls body(tag, i): vectors first, then one by one.
template <class T, class Body>
HWY_INLINE void for_each(Index count, const Body& body) {
  const Wide<T> wide;
  const auto lanes = static_cast<Index>(hn::Lanes(wide));
  Index i = 0;
  for (; i + lanes <= count; i += lanes) body(wide, i);
  for (; i < count; ++i) body(One<T>(), i);
}

// Four interleaved sequences.
template <class D, class T>
HWY_INLINE void load_four(D d, const T* from, hn::Vec<D>* v) {
  if constexpr (hn::MaxLanes(D()) == 1)
    for (int r = 0; r < 4; ++r) v[r] = hn::LoadU(d, from + r);
  else
    hn::LoadInterleaved4(d, from, v[0], v[1], v[2], v[3]);
}

template <class T>
void modulate_all(Split<const T> in, Split<const T> chirp, Index parts, Index count, Index stride, Split<T> out) {
  if (parts == 1) {
    for_each<T>(count,
                [&](auto d, Index j) HWY_ATTR { store(d, times(d, load(d, in + j), load(d, chirp + j)), out + j); });
    return;
  }
  for_each<T>(count, [&](auto d, Index j) HWY_ATTR {
    using D = decltype(d);
    const Complex<D> c = load(d, chirp + j);
    hn::Vec<D> re[4];
    hn::Vec<D> im[4];
    load_four(d, in.re + 4 * j, re);
    load_four(d, in.im + 4 * j, im);
    for (int r = 0; r < 4; ++r) store(d, times(d, Complex<D>{re[r], im[r]}, c), out + (r * stride + j));
  });
}

template <class T>
void multiply_all(Split<const T> filter, Index count, Split<T> z) {
  for_each<T>(count, [&](auto d, Index t) HWY_ATTR {
    store(d, times(d, load(d, Split<const T>{z.re + t, z.im + t}), load(d, filter + t)), z + t);
  });
}

template <class T>
void combine_all(Split<const T> in, Split<const T> chirp, Split<const T> twiddle, Index parts, Index count,
                 Index stride, Split<T> out) {
  if (parts == 1) {
    for_each<T>(count,
                [&](auto d, Index k) HWY_ATTR { store(d, times(d, load(d, in + k), load(d, chirp + k)), out + k); });
    return;
  }
  for_each<T>(count, [&](auto d, Index k) HWY_ATTR {
    using D = decltype(d);
    const Complex<D> w = load(d, twiddle + k);
    const Complex<D> f0 = load(d, chirp + k);
    const Complex<D> f1 = times(d, f0, w);
    const Complex<D> f2 = times(d, f1, w);
    const Complex<D> f3 = times(d, f2, w);
    const Complex<D> y0 = times(d, load(d, in + k), f0);
    const Complex<D> y1 = times(d, load(d, in + (stride + k)), f1);
    const Complex<D> y2 = times(d, load(d, in + (2 * stride + k)), f2);
    const Complex<D> y3 = times(d, load(d, in + (3 * stride + k)), f3);
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

void modulate_float(Split<const float> in, Split<const float> chirp, Index parts, Index count, Index stride,
                    Split<float> out) {
  modulate_all(in, chirp, parts, count, stride, out);
}
void modulate_double(Split<const double> in, Split<const double> chirp, Index parts, Index count, Index stride,
                     Split<double> out) {
  modulate_all(in, chirp, parts, count, stride, out);
}
void multiply_float(Split<const float> filter, Index count, Split<float> z) { multiply_all(filter, count, z); }
void multiply_double(Split<const double> filter, Index count, Split<double> z) { multiply_all(filter, count, z); }
void combine_float(Split<const float> in, Split<const float> chirp, Split<const float> twiddle, Index parts,
                   Index count, Index stride, Split<float> out) {
  combine_all(in, chirp, twiddle, parts, count, stride, out);
}
void combine_double(Split<const double> in, Split<const double> chirp, Split<const double> twiddle, Index parts,
                    Index count, Index stride, Split<double> out) {
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

void modulate(Split<const float> in, Split<const float> chirp, Index parts, Index count, Index stride,
              Split<float> out) {
  HWY_DYNAMIC_DISPATCH(modulate_float)(in, chirp, parts, count, stride, out);
}
void modulate(Split<const double> in, Split<const double> chirp, Index parts, Index count, Index stride,
              Split<double> out) {
  HWY_DYNAMIC_DISPATCH(modulate_double)(in, chirp, parts, count, stride, out);
}
void multiply(Split<const float> filter, Index count, Split<float> z) {
  HWY_DYNAMIC_DISPATCH(multiply_float)(filter, count, z);
}
void multiply(Split<const double> filter, Index count, Split<double> z) {
  HWY_DYNAMIC_DISPATCH(multiply_double)(filter, count, z);
}
void combine(Split<const float> in, Split<const float> chirp, Split<const float> twiddle, Index parts, Index count,
             Index stride, Split<float> out) {
  HWY_DYNAMIC_DISPATCH(combine_float)(in, chirp, twiddle, parts, count, stride, out);
}
void combine(Split<const double> in, Split<const double> chirp, Split<const double> twiddle, Index parts, Index count,
             Index stride, Split<double> out) {
  HWY_DYNAMIC_DISPATCH(combine_double)(in, chirp, twiddle, parts, count, stride, out);
}

}  // namespace armilla::fft
#endif
