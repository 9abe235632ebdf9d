// Compiled once per instruction set by Highway's foreach_target; the best one is chosen at run time.
#include <armilla/core/highway_targets.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/resample/convolution.cpp"

#include <armilla/resample/convolution.hpp>

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::resample::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Complex = std::complex<double>;
inline const double* raw(const Complex* p) { return reinterpret_cast<const double*>(p); }
inline double* raw(Complex* p) { return reinterpret_cast<double*>(p); }

#if HWY_TARGET == HWY_SCALAR

inline void gather(const double* weights, const Complex* points, Complex* ring) {
  Complex sum = 0;
  for (int k = 0; k < kWindow; ++k) sum += weights[k] * points[k];
  *ring = sum;
}

inline void scatter(const double* weights, const Complex* ring, Complex* points) {
  for (int k = 0; k < kWindow; ++k) points[k] += weights[k] * *ring;
}

#else

// As many points as fit in a vector, at most kWindowStep.
using Tag = hn::CappedTag<double, 2 * kWindowStep>;
using Vec = hn::Vec<Tag>;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Tag()));
constexpr int kPoints = kLanes / 2;
static_assert(kWindow % kPoints == 0 && kWindowStep % kPoints == 0);

// Weights of kPoints adjacent points, each repeated for the real and the imaginary part.
HWY_INLINE Vec twice(const double* weights) {
  const Tag d;
  if constexpr (kPoints == 1) {
    return hn::Set(d, *weights);
  } else {
    const hn::Half<Tag> h;
    HWY_ALIGN static constexpr std::int64_t kTwice[] = {0, 0, 1, 1, 2, 2, 3, 3};
    return hn::TableLookupLanes(hn::ZeroExtendVector(d, hn::LoadU(h, weights)), hn::SetTableIndices(d, kTwice));
  }
}

template <class D>
HWY_INLINE void store_sum(D d, hn::Vec<D> value, double* place) {
  if constexpr (hn::MaxLanes(D()) == 2) {
    hn::StoreU(value, d, place);
  } else {
    const hn::Half<D> h;
    store_sum(h, hn::Add(hn::LowerHalf(h, value), hn::UpperHalf(h, value)), place);
  }
}

HWY_INLINE void gather(const double* weights, const Complex* points, Complex* ring) {
  const Tag d;
  Vec sum = hn::Zero(d);
  for (int k = 0; k < kWindow; k += kPoints) sum = hn::MulAdd(twice(weights + k), hn::Load(d, raw(points + k)), sum);
  store_sum(d, sum, raw(ring));
}

HWY_INLINE void scatter(const double* weights, const Complex* ring, Complex* points) {
  const Tag d;
  const Vec value = hn::LoadDup128(d, raw(ring));
  for (int k = 0; k < kWindow; k += kPoints) {
    double* place = raw(points + k);
    hn::Store(hn::MulAdd(twice(weights + k), value, hn::Load(d, place)), d, place);
  }
}

#endif

void interpolate(const Convolution& convolution, Index begin, Index end, ConstHalves points, RingColumn targets) {
  Complex* north = targets.data;
  for (Index i = begin; i < end; ++i, north += 2 * targets.stride) {
    const double* weights = convolution.weights + i * kWindow;
    gather(weights, points.north + convolution.first_point[i], north);
    gather(weights, points.south + convolution.first_point[i], north + targets.stride);
  }
}

void spread(const Convolution& convolution, Index begin, Index end, ConstRingColumn targets, Halves points) {
  const Complex* north = targets.data;
  for (Index i = begin; i < end; ++i, north += 2 * targets.stride) {
    const double* weights = convolution.weights + i * kWindow;
    scatter(weights, north, points.north + convolution.first_point[i]);
    scatter(weights, north + targets.stride, points.south + convolution.first_point[i]);
  }
}

void interpolate_rings(const Convolution& convolution, const Hemisphere* hemisphere, Index begin, Index end,
                       ConstHalves points, Complex* rings, Index stride) {
  for (Index i = begin; i < end; ++i, rings += stride) {
    const Complex* half = hemisphere[i] == Hemisphere::kNorth ? points.north : points.south;
    gather(convolution.weights + i * kWindow, half + convolution.first_point[i], rings);
  }
}

void spread_rings(const Convolution& convolution, const Hemisphere* hemisphere, Index begin, Index end,
                  const Complex* rings, Index stride, Halves points) {
  for (Index i = begin; i < end; ++i, rings += stride) {
    Complex* half = hemisphere[i] == Hemisphere::kNorth ? points.north : points.south;
    scatter(convolution.weights + i * kWindow, rings, half + convolution.first_point[i]);
  }
}

}  // namespace armilla::resample::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::resample {

HWY_EXPORT(interpolate);
HWY_EXPORT(spread);
HWY_EXPORT(interpolate_rings);
HWY_EXPORT(spread_rings);

void interpolate(const Convolution& convolution, Index begin, Index end, ConstHalves points, RingColumn targets) {
  HWY_DYNAMIC_DISPATCH(interpolate)(convolution, begin, end, points, targets);
}

void spread(const Convolution& convolution, Index begin, Index end, ConstRingColumn targets, Halves points) {
  HWY_DYNAMIC_DISPATCH(spread)(convolution, begin, end, targets, points);
}

void interpolate_rings(const Convolution& convolution, const Hemisphere* hemisphere, Index begin, Index end,
                       ConstHalves points, std::complex<double>* rings, Index stride) {
  HWY_DYNAMIC_DISPATCH(interpolate_rings)(convolution, hemisphere, begin, end, points, rings, stride);
}

void spread_rings(const Convolution& convolution, const Hemisphere* hemisphere, Index begin, Index end,
                  const std::complex<double>* rings, Index stride, Halves points) {
  HWY_DYNAMIC_DISPATCH(spread_rings)(convolution, hemisphere, begin, end, rings, stride, points);
}

}  // namespace armilla::resample
#endif
