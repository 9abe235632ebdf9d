// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
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

void interpolate(const Convolution& convolution, Index first_target, const PairValue* points, PairValue* target) {
  const Tag d;
  for (Index i = first_target; i < convolution.targets; ++i) {
    const double* weights = convolution.weights + i * kKernelWidth;
    const double* point = points[convolution.first_point[i]].part;
    Vec sum[kVectors];
    for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
    for (int k = 0; k < kKernelWidth; ++k) {
      const Vec weight = hn::Set(d, weights[k]);
      for (int v = 0; v < kVectors; ++v) sum[v] = hn::MulAdd(weight, hn::Load(d, point + 4 * k + v * kLanes), sum[v]);
    }
    for (int v = 0; v < kVectors; ++v) hn::Store(sum[v], d, target[i].part + v * kLanes);
  }
}

void spread(const Convolution& convolution, Index first_target, const PairValue* target, PairValue* points) {
  const Tag d;
  for (Index i = first_target; i < convolution.targets; ++i) {
    const double* weights = convolution.weights + i * kKernelWidth;
    double* point = points[convolution.first_point[i]].part;
    Vec value[kVectors];
    for (int v = 0; v < kVectors; ++v) value[v] = hn::Load(d, target[i].part + v * kLanes);
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

void interpolate(const Convolution& convolution, Index first_target, const PairValue* points, PairValue* target) {
  HWY_DYNAMIC_DISPATCH(interpolate)(convolution, first_target, points, target);
}

void spread(const Convolution& convolution, Index first_target, const PairValue* target, PairValue* points) {
  HWY_DYNAMIC_DISPATCH(spread)(convolution, first_target, target, points);
}

}  // namespace armilla::resample
#endif
