// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/fft/radix4_step.cpp"

#include <armilla/fft/radix4_step.hpp>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

// clang-format off: compiled once per instruction set, so it must follow foreach_target.h
#include <armilla/fft/complex_vector-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::fft::HWY_NAMESPACE {

template <class T>
void radix4_step_all(Split<const T> twiddle, Index n, std::complex<T>* z) {
  for_each<T>(n, [&](auto d, Index k) HWY_ATTR {
    using D = decltype(d);
    const Complex<D> y0 = load(d, z + k);
    const Complex<D> y1 = times(d, load(d, z + (n + k)), load(d, twiddle + k));
    const Complex<D> y2 = times(d, load(d, z + (2 * n + k)), load(d, twiddle + (n + k)));
    const Complex<D> y3 = times(d, load(d, z + (3 * n + k)), load(d, twiddle + (2 * n + k)));
    const Complex<D> even = sum(d, y0, y2);
    const Complex<D> odd = sum(d, y1, y3);
    const Complex<D> p = difference(d, y0, y2);
    const Complex<D> q = difference(d, y1, y3);
    store(d, sum(d, even, odd), z + k);
    store(d, Complex<D>{hn::Add(p.re, q.im), hn::Sub(p.im, q.re)}, z + (n + k));
    store(d, difference(d, even, odd), z + (2 * n + k));
    store(d, Complex<D>{hn::Sub(p.re, q.im), hn::Add(p.im, q.re)}, z + (3 * n + k));
  });
}

void radix4_step_float(Split<const float> twiddle, Index quarter, std::complex<float>* z) {
  radix4_step_all(twiddle, quarter, z);
}
void radix4_step_double(Split<const double> twiddle, Index quarter, std::complex<double>* z) {
  radix4_step_all(twiddle, quarter, z);
}

}  // namespace armilla::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::fft {

HWY_EXPORT(radix4_step_float);
HWY_EXPORT(radix4_step_double);

void radix4_step(Split<const float> twiddle, Index quarter, std::complex<float>* z) {
  HWY_DYNAMIC_DISPATCH(radix4_step_float)(twiddle, quarter, z);
}
void radix4_step(Split<const double> twiddle, Index quarter, std::complex<double>* z) {
  HWY_DYNAMIC_DISPATCH(radix4_step_double)(twiddle, quarter, z);
}

}  // namespace armilla::fft
#endif
