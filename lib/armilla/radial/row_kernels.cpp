// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/radial/row_kernels.cpp"

#include <armilla/radial/row_kernels.hpp>

#include <algorithm>
#include <cstdint>

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::radial::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using RowTag = hn::CappedTag<double, 8>;
using RowVec = hn::Vec<RowTag>;
constexpr Index kRowLanes = static_cast<Index>(hn::MaxLanes(RowTag()));
// Number of vectors processed together, because each step of the recurrence depends on the previous one.
constexpr Index kRowBlock = HWY_TARGET <= HWY_AVX3 ? 8 : 4;
static_assert(kModeStep % (kRowLanes * kRowBlock) == 0);

template <bool kReinsch>
void spectrum_of(const double* samples, Index count, const RowAngles& angles, Index modes, double* spectrum) {
  const RowTag d;
  for (Index m = 0; m < modes; m += kRowLanes * kRowBlock) {
    // Clenshaw: b_s and b_(s + 1), factor 2 cos x. Reinsch: b_s and b_s - b_(s + 1), factor 2 - 2 cos x.
    RowVec factor[kRowBlock], b[kRowBlock], other[kRowBlock];
    for (Index v = 0; v < kRowBlock; ++v) {
      const RowVec x = hn::Load(d, (kReinsch ? angles.versine : angles.cosine) + m + v * kRowLanes);
      factor[v] = kReinsch ? x : hn::Add(x, x);
      b[v] = other[v] = hn::Zero(d);
    }
    for (Index s = count - 1; s > 0; --s) {
      const RowVec sample = hn::Set(d, samples[s]);
      for (Index v = 0; v < kRowBlock; ++v) {
        if constexpr (kReinsch) {
          other[v] = hn::NegMulAdd(factor[v], b[v], hn::Add(sample, other[v]));
          b[v] = hn::Add(b[v], other[v]);
        } else {
          const RowVec next = hn::MulAdd(factor[v], b[v], hn::Sub(sample, other[v]));
          other[v] = b[v];
          b[v] = next;
        }
      }
    }
    const RowVec first = hn::Set(d, samples[0]), half = hn::Set(d, 0.5);
    for (Index v = 0; v < kRowBlock; ++v) {
      const bool on_axis = angles.half_cosine == nullptr;
      const RowVec last = on_axis ? hn::Mul(half, factor[v]) : factor[v];
      RowVec sum;
      if constexpr (kReinsch)
        sum = hn::NegMulAdd(last, b[v], hn::Add(first, other[v]));
      else
        sum = hn::MulAdd(last, b[v], hn::Sub(first, other[v]));
      if (!on_axis) {
        if constexpr (!kReinsch) sum = hn::Sub(sum, b[v]);
        sum = hn::Mul(sum, hn::Load(d, angles.half_cosine + m + v * kRowLanes));
      }
      hn::Store(sum, d, spectrum + m + v * kRowLanes);
    }
  }
}

void row_spectrum(const double* samples, Index count, const RowAngles& angles, Index modes, double* spectrum) {
  if (angles.versine == nullptr)
    spectrum_of<false>(samples, count, angles, modes, spectrum);
  else
    spectrum_of<true>(samples, count, angles, modes, spectrum);
}

void add_rows(const RowTerm* terms, Index count, Index modes, double* re, double* im) {
  constexpr Index kVectors = 4;
  static_assert(kModeStep % (kVectors * kRowLanes) == 0);
  const RowTag d;
  for (Index m = 0; m < modes; m += kVectors * kRowLanes) {
    RowVec sum_re[kVectors], sum_im[kVectors];
    for (Index v = 0; v < kVectors; ++v) {
      sum_re[v] = hn::Load(d, re + m + v * kRowLanes);
      sum_im[v] = hn::Load(d, im + m + v * kRowLanes);
    }
    for (Index t = 0; t < count; ++t)
      for (Index v = 0; v < kVectors; ++v) {
        const Index here = m + v * kRowLanes;
        const RowVec factor = hn::Load(d, terms[t].spectrum + here);
        sum_re[v] = hn::MulAdd(factor, hn::Load(d, terms[t].re + here), sum_re[v]);
        sum_im[v] = hn::MulAdd(factor, hn::Load(d, terms[t].im + here), sum_im[v]);
      }
    for (Index v = 0; v < kVectors; ++v) {
      hn::Store(sum_re[v], d, re + m + v * kRowLanes);
      hn::Store(sum_im[v], d, im + m + v * kRowLanes);
    }
  }
}

template <bool kFirst, bool kSecond, int kVectors, class D, class V>
HWY_INLINE void add_window(D d, const StencilTerm& term, Index p, Index begin, Index end, V* sums) {
  constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(D()));
  for (Index k = begin; k < end; ++k) {
    const double* in = term.in + p + k;
    V weight[2];
    if constexpr (kFirst) weight[0] = hn::Set(d, term.weights[0][k - term.first[0]]);
    if constexpr (kSecond) weight[1] = hn::Set(d, term.weights[1][k - term.first[1]]);
    for (int v = 0; v < kVectors; ++v) {
      V x = hn::LoadU(d, in + v * kLanes);
#if HWY_COMPILER_GCC_ACTUAL && HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
      asm("" : "+v"(x.raw));  // keeps one load for both sums; otherwise GCC makes it an operand of each
#endif
      if constexpr (kFirst) sums[v] = hn::MulAdd(weight[0], x, sums[v]);
      if constexpr (kSecond) sums[kVectors + v] = hn::MulAdd(weight[1], x, sums[kVectors + v]);
    }
  }
}

// The overlap of both windows is loaded once.
template <int kVectors, class D, class V>
HWY_INLINE void add_term(D d, const StencilTerm& term, Index p, V* sums) {
  const Index begin = std::max(term.first[0], term.first[1]), end = std::min(term.end[0], term.end[1]);
  if (begin >= end) {
    add_window<true, false, kVectors>(d, term, p, term.first[0], term.end[0], sums);
    add_window<false, true, kVectors>(d, term, p, term.first[1], term.end[1], sums);
    return;
  }
  add_window<true, false, kVectors>(d, term, p, term.first[0], begin, sums);
  add_window<false, true, kVectors>(d, term, p, term.first[1], begin, sums);
  add_window<true, true, kVectors>(d, term, p, begin, end, sums);
  add_window<true, false, kVectors>(d, term, p, end, term.end[0], sums);
  add_window<false, true, kVectors>(d, term, p, end, term.end[1], sums);
}

template <int kVectors, class D>
HWY_INLINE void add_terms(D d, const StencilTerm* terms, Index count, Index p, double* const (&out)[2]) {
  constexpr auto kLanes = static_cast<Index>(hn::MaxLanes(D()));
  hn::Vec<D> sums[2 * kVectors];
  for (int v = 0; v < kVectors; ++v) {
    sums[v] = hn::LoadU(d, out[0] + p + v * kLanes);
    sums[kVectors + v] = out[1] != nullptr ? hn::LoadU(d, out[1] + p + v * kLanes) : hn::Zero(d);
  }
  for (Index t = 0; t < count; ++t) add_term<kVectors>(d, terms[t], p, sums);
  for (int v = 0; v < kVectors; ++v) {
    hn::StoreU(sums[v], d, out[0] + p + v * kLanes);
    if (out[1] != nullptr) hn::StoreU(sums[kVectors + v], d, out[1] + p + v * kLanes);
  }
}

void add_stencils(const StencilTerm* terms, Index count, Index pixels, double* const (&out)[2]) {
  constexpr int kVectors = HWY_TARGET <= HWY_AVX3 ? 8 : 4;  // two sums and one weight per vector fit in registers
  constexpr Index kStep = kVectors * kRowLanes;
  Index p = 0;
  for (; p + kStep <= pixels; p += kStep) add_terms<kVectors>(RowTag(), terms, count, p, out);
  for (; p + kRowLanes <= pixels; p += kRowLanes) add_terms<1>(RowTag(), terms, count, p, out);
  for (; p < pixels; ++p) add_terms<1>(hn::CappedTag<double, 1>(), terms, count, p, out);
}

void write_pixels(const double* in, Index count, bool streamed, double* out) {
  const RowTag d;
  Index i = 0;
  if (streamed) {
    constexpr std::uintptr_t kBytes = sizeof(double) * kRowLanes;
    for (; i < count && reinterpret_cast<std::uintptr_t>(out + i) % kBytes != 0; ++i) out[i] = in[i];
    for (; i + kRowLanes <= count; i += kRowLanes) hn::Stream(hn::LoadU(d, in + i), d, out + i);
    hwy::FlushStream();
  }
  std::copy(in + i, in + count, out + i);
}

}  // namespace armilla::radial::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace armilla::radial {

HWY_EXPORT(row_spectrum);
HWY_EXPORT(add_rows);
HWY_EXPORT(add_stencils);
HWY_EXPORT(write_pixels);

void row_spectrum(const double* samples, Index count, const RowAngles& angles, Index modes, double* spectrum) {
  HWY_DYNAMIC_DISPATCH(row_spectrum)(samples, count, angles, modes, spectrum);
}
void add_rows(const RowTerm* terms, Index count, Index modes, double* re, double* im) {
  HWY_DYNAMIC_DISPATCH(add_rows)(terms, count, modes, re, im);
}
void add_stencils(const StencilTerm* terms, Index count, Index pixels, double* const (&out)[2]) {
  HWY_DYNAMIC_DISPATCH(add_stencils)(terms, count, pixels, out);
}

void write_pixels(const double* in, Index count, bool streamed, double* out) {
  HWY_DYNAMIC_DISPATCH(write_pixels)(in, count, streamed, out);
}

}  // namespace armilla::radial

#endif
