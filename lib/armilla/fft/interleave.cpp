// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/fft/interleave.cpp"

#include <armilla/fft/interleave.hpp>

#include <cstdint>

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

// clang-format off: compiled once per instruction set, so it must follow foreach_target.h
#include <armilla/fft/complex_vector-inl.hpp>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace armilla::fft::HWY_NAMESPACE {

constexpr Index kLine = 64;

inline bool is_aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % kLine == 0; }

template <class T>
void interleave_all(Split<const T> in, Index count, std::complex<T>* out) {
  for_each<T>(count, [&](auto d, Index i) HWY_ATTR { store(d, load(d, in + i), out + i); });
}

template <class T>
void deinterleave_all(const std::complex<T>* in, Index count, Split<T> out, bool streamed) {
  const Wide<T> wide;
  const auto lanes = static_cast<Index>(hn::Lanes(wide));
  const bool lines = lanes * static_cast<Index>(sizeof(T)) == kLine && is_aligned(out.re) && is_aligned(out.im);
  Index i = 0;
  if (streamed && lines) {
    for (; i + lanes <= count; i += lanes) {
      const Complex<Wide<T>> z = load(wide, in + i);
      hn::Stream(z.re, wide, out.re + i);
      hn::Stream(z.im, wide, out.im + i);
    }
    hwy::FlushStream();
  }
  for_each<T>(count - i, [&](auto d, Index j) HWY_ATTR { store(d, load(d, in + (i + j)), out + (i + j)); });
}

void interleave_float(Split<const float> in, Index count, std::complex<float>* out) { interleave_all(in, count, out); }
void interleave_double(Split<const double> in, Index count, std::complex<double>* out) {
  interleave_all(in, count, out);
}
void deinterleave_float(const std::complex<float>* in, Index count, Split<float> out, bool streamed) {
  deinterleave_all(in, count, out, streamed);
}
void deinterleave_double(const std::complex<double>* in, Index count, Split<double> out, bool streamed) {
  deinterleave_all(in, count, out, streamed);
}

}  // namespace armilla::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::fft {

HWY_EXPORT(interleave_float);
HWY_EXPORT(interleave_double);
HWY_EXPORT(deinterleave_float);
HWY_EXPORT(deinterleave_double);

void interleave(Split<const float> in, Index count, std::complex<float>* out) {
  HWY_DYNAMIC_DISPATCH(interleave_float)(in, count, out);
}
void interleave(Split<const double> in, Index count, std::complex<double>* out) {
  HWY_DYNAMIC_DISPATCH(interleave_double)(in, count, out);
}
void deinterleave(const std::complex<float>* in, Index count, Split<float> out, bool streamed) {
  HWY_DYNAMIC_DISPATCH(deinterleave_float)(in, count, out, streamed);
}
void deinterleave(const std::complex<double>* in, Index count, Split<double> out, bool streamed) {
  HWY_DYNAMIC_DISPATCH(deinterleave_double)(in, count, out, streamed);
}

}  // namespace armilla::fft
#endif
