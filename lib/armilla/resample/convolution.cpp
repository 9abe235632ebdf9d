// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/resample/convolution.cpp"

#include <armilla/resample/convolution.hpp>
#include <armilla/resample/spread_kernel.hpp>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::resample::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// One PairValue, in as few vectors as the instruction set allows.
#if HWY_TARGET == HWY_SCALAR
using Tag = hn::CappedTag<double, 1>;
#else
using Tag = hn::CappedTag<double, 4>;
#endif
using Vec = hn::Vec<Tag>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag()));
constexpr int kVectors = 4 / kLanes;

// The four doubles of a pair stand side by side where the stride is 1.
HWY_INLINE void store(const Vec (&value)[kVectors], double* north, Index stride) {
  const Tag d;
  if (stride == 1) {
    for (int v = 0; v < kVectors; ++v) hn::StoreU(value[v], d, north + v * kLanes);
    return;
  }
  HWY_ALIGN double part[4];
  for (int v = 0; v < kVectors; ++v) hn::Store(value[v], d, part + v * kLanes);
  for (int c = 0; c < 2; ++c) {
    north[c] = part[c];
    north[2 * stride + c] = part[2 + c];
  }
}

HWY_INLINE void load(const double* north, Index stride, Vec (&value)[kVectors]) {
  const Tag d;
  if (stride == 1) {
    for (int v = 0; v < kVectors; ++v) value[v] = hn::LoadU(d, north + v * kLanes);
    return;
  }
  HWY_ALIGN double part[4];
  for (int c = 0; c < 2; ++c) {
    part[c] = north[c];
    part[2 + c] = north[2 * stride + c];
  }
  for (int v = 0; v < kVectors; ++v) value[v] = hn::Load(d, part + v * kLanes);
}

void interpolate(const Convolution& convolution, Index begin, Index end, const PairValue* points, RingColumn targets) {
  const Tag d;
  double* north = reinterpret_cast<double*>(targets.data);
  for (Index i = begin; i < end; ++i, north += 4 * targets.stride) {
    const double* weights = convolution.weights + i * kKernelWidth;
    const double* point = points[convolution.first_point[i]].part;
    Vec sum[kVectors];
    for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
    for (int k = 0; k < kKernelWidth; ++k) {
      const Vec weight = hn::Set(d, weights[k]);
      for (int v = 0; v < kVectors; ++v) sum[v] = hn::MulAdd(weight, hn::Load(d, point + 4 * k + v * kLanes), sum[v]);
    }
    store(sum, north, targets.stride);
  }
}

void spread(const Convolution& convolution, Index begin, Index end, ConstRingColumn targets, PairValue* points) {
  const Tag d;
  const double* north = reinterpret_cast<const double*>(targets.data);
  for (Index i = begin; i < end; ++i, north += 4 * targets.stride) {
    const double* weights = convolution.weights + i * kKernelWidth;
    double* point = points[convolution.first_point[i]].part;
    Vec value[kVectors];
    load(north, targets.stride, value);
    for (int k = 0; k < kKernelWidth; ++k) {
      const Vec weight = hn::Set(d, weights[k]);
      for (int v = 0; v < kVectors; ++v) {
        double* place = point + 4 * k + v * kLanes;
        hn::Store(hn::MulAdd(weight, value[v], hn::Load(d, place)), d, place);
      }
    }
  }
}

}  // namespace armilla::resample::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::resample {

HWY_EXPORT(interpolate);
HWY_EXPORT(spread);

void interpolate(const Convolution& convolution, Index begin, Index end, const PairValue* points, RingColumn targets) {
  HWY_DYNAMIC_DISPATCH(interpolate)(convolution, begin, end, points, targets);
}

void spread(const Convolution& convolution, Index begin, Index end, ConstRingColumn targets, PairValue* points) {
  HWY_DYNAMIC_DISPATCH(spread)(convolution, begin, end, targets, points);
}

}  // namespace armilla::resample
#endif
