// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/radial/row_kernels.cpp"

#include <armilla/radial/row_kernels.hpp>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::radial::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using RowTag = hn::CappedTag<double, 8>;
using RowVec = hn::Vec<RowTag>;
constexpr Index kRowLanes = static_cast<Index>(hn::MaxLanes(RowTag()));
// Vectors at a time: a step of the recurrence waits for the one before.
constexpr Index kRowBlock = HWY_TARGET <= HWY_AVX3 ? 8 : 4;
static_assert(kModeStep % (kRowLanes * kRowBlock) == 0);

void row_spectrum(const double* samples, Index count, const double* cos_x, Index modes, double* spectrum) {
  const RowTag d;
  for (Index m = 0; m < modes; m += kRowLanes * kRowBlock) {
    RowVec twice[kRowBlock], b1[kRowBlock], b2[kRowBlock];
    for (Index v = 0; v < kRowBlock; ++v) {
      const RowVec x = hn::Load(d, cos_x + m + v * kRowLanes);
      twice[v] = hn::Add(x, x);
      b1[v] = b2[v] = hn::Zero(d);
    }
    for (Index s = count - 1; s > 0; --s) {
      const RowVec sample = hn::Set(d, samples[s]);
      for (Index v = 0; v < kRowBlock; ++v) {
        const RowVec next = hn::MulAdd(twice[v], b1[v], hn::Sub(sample, b2[v]));
        b2[v] = b1[v];
        b1[v] = next;
      }
    }
    const RowVec first = hn::Set(d, samples[0]), half = hn::Set(d, 0.5);
    for (Index v = 0; v < kRowBlock; ++v)
      hn::Store(hn::MulAdd(hn::Mul(half, twice[v]), b1[v], hn::Sub(first, b2[v])), d, spectrum + m + v * kRowLanes);
  }
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

void add_stencil(const double* weights, Index count, const double* in, Index pixels, double* out) {
  const RowTag d;
  Index p = 0;
  for (; p + kRowBlock * kRowLanes <= pixels; p += kRowBlock * kRowLanes) {
    RowVec sum[kRowBlock];
    for (Index v = 0; v < kRowBlock; ++v) sum[v] = hn::LoadU(d, out + p + v * kRowLanes);
    for (Index k = 0; k < count; ++k) {
      const RowVec weight = hn::Set(d, weights[k]);
      for (Index v = 0; v < kRowBlock; ++v)
        sum[v] = hn::MulAdd(weight, hn::LoadU(d, in + p + k + v * kRowLanes), sum[v]);
    }
    for (Index v = 0; v < kRowBlock; ++v) hn::StoreU(sum[v], d, out + p + v * kRowLanes);
  }
  const hn::CappedTag<double, 1> one;
  for (; p < pixels; ++p) {
    auto sum = hn::LoadU(one, out + p);
    for (Index k = 0; k < count; ++k) sum = hn::MulAdd(hn::Set(one, weights[k]), hn::LoadU(one, in + p + k), sum);
    hn::StoreU(sum, one, out + p);
  }
}

}  // namespace armilla::radial::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace armilla::radial {

HWY_EXPORT(row_spectrum);
HWY_EXPORT(add_rows);
HWY_EXPORT(add_stencil);

void row_spectrum(const double* samples, Index count, const double* cos_x, Index modes, double* spectrum) {
  HWY_DYNAMIC_DISPATCH(row_spectrum)(samples, count, cos_x, modes, spectrum);
}
void add_rows(const RowTerm* terms, Index count, Index modes, double* re, double* im) {
  HWY_DYNAMIC_DISPATCH(add_rows)(terms, count, modes, re, im);
}
void add_stencil(const double* weights, Index count, const double* in, Index pixels, double* out) {
  HWY_DYNAMIC_DISPATCH(add_stencil)(weights, count, in, pixels, out);
}

}  // namespace armilla::radial

#endif
