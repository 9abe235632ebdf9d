#include <armilla/bench/fma_peak.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/core/types.hpp>

#include <algorithm>
#include <cmath>

// Highway compiles this file once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "armilla/bench/fma_peak.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::bench::HWY_NAMESPACE {

/// Enough chains to hide a latency of 5 cycles on two units, and few enough for 16 registers.
constexpr core::Index kChains = 12;

/// Runs `steps` FMA in each chain and returns the number of scalar FMA. Adds the results to `sum`, so that the compiler
/// cannot remove them.
inline core::Index fma_chains(core::Index steps, double factor, double& sum) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<double> d;
  const auto a = hn::Set(d, factor);
  const auto b = hn::Set(d, 1 - factor);
  auto y0 = hn::Set(d, 0.5), y1 = hn::Set(d, 0.6), y2 = hn::Set(d, 0.7), y3 = hn::Set(d, 0.8);
  auto y4 = hn::Set(d, 1.1), y5 = hn::Set(d, 1.2), y6 = hn::Set(d, 1.3), y7 = hn::Set(d, 1.4);
  auto y8 = hn::Set(d, 1.5), y9 = hn::Set(d, 1.6), y10 = hn::Set(d, 1.7), y11 = hn::Set(d, 1.8);
  for (core::Index i = 0; i < steps; ++i) {
    y0 = hn::MulAdd(y0, a, b);
    y1 = hn::MulAdd(y1, a, b);
    y2 = hn::MulAdd(y2, a, b);
    y3 = hn::MulAdd(y3, a, b);
    y4 = hn::MulAdd(y4, a, b);
    y5 = hn::MulAdd(y5, a, b);
    y6 = hn::MulAdd(y6, a, b);
    y7 = hn::MulAdd(y7, a, b);
    y8 = hn::MulAdd(y8, a, b);
    y9 = hn::MulAdd(y9, a, b);
    y10 = hn::MulAdd(y10, a, b);
    y11 = hn::MulAdd(y11, a, b);
  }
  const auto s0 = hn::Add(hn::Add(hn::Add(y0, y1), hn::Add(y2, y3)), hn::Add(hn::Add(y4, y5), hn::Add(y6, y7)));
  sum += hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, hn::Add(hn::Add(y8, y9), hn::Add(y10, y11)))));
  return steps * kChains * static_cast<core::Index>(hn::Lanes(d));
}

}  // namespace armilla::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace armilla::bench {

HWY_EXPORT(fma_chains);

double measure_fma_peak(double seconds) {
  constexpr core::Index kSteps = 20000;  // about 50 microseconds between readings of the clock
  volatile double factor_in_memory = 0.999;
  const double factor = factor_in_memory;
  double rate = 0;
  double sum = 0;
#pragma omp parallel reduction(+ : rate, sum)
  {
    HWY_DYNAMIC_DISPATCH(fma_chains)(kSteps, factor, sum);
#pragma omp barrier
    const double start = core::now_seconds();
    core::Index done = 0;
    double elapsed = 0;
    while (elapsed < seconds) {
      done += HWY_DYNAMIC_DISPATCH(fma_chains)(kSteps, factor, sum);
      elapsed = core::now_seconds() - start;
    }
    rate += static_cast<double>(done) / std::max(elapsed, 1e-9);
  }
  // The sum is always finite, but the compiler cannot know that.
  return std::isfinite(sum) ? rate : 0;
}

}  // namespace armilla::bench
#endif
