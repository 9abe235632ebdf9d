// The vector type of the kernels of this room, once per instruction set; included by files that Highway's
// foreach_target compiles again and again.
#if defined(ARMILLA_LEGENDRE_SIMD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ARMILLA_LEGENDRE_SIMD_INL
#undef ARMILLA_LEGENDRE_SIMD_INL
#else
#define ARMILLA_LEGENDRE_SIMD_INL
#endif

#include <armilla/core/types.hpp>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace armilla::legendre::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
using Tag = hn::CappedTag<double, 1>;
#else
using Tag = hn::ScalableTag<double>;
#endif
using Vec = hn::Vec<Tag>;

HWY_INLINE core::Index lane_count() { return static_cast<core::Index>(hn::Lanes(Tag())); }

// Thirty-two registers: AVX-512 and 64-bit ARM.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr bool kManyRegisters = true;
#else
constexpr bool kManyRegisters = false;
#endif

// Recurrences carry value * 2^(800 scale), scale <= 0 (start_values.hpp). A lane counts from scale 0 on, which it
// reaches at the first look at which it exceeds 2^720 at scale -1, so 2^-80.
constexpr double kThreshold = 0x1p720;
constexpr double kDown = 0x1p-800;

// Steps at which recurrences look at their magnitudes, from one to the next. Steps of two degrees; functions grow
// fastest at the lowest degrees, and by less than 2^20 from look to look where they are near 2^-80, at any m up to
// 30000. A look depends on the step alone, not on what is computed side by side.
HWY_INLINE core::Index next_look(core::Index step) {
  const core::Index interval = step < 16 ? 2 : step < 64 ? 4 : 8;
  return (step / interval + 1) * interval;
}

// Sum over the lanes of `rows` consecutive vectors, each into one number: first the two values of each block of 128
// bits, then the blocks in ascending order. rows is even.
HWY_INLINE void sum_lanes(const double* vectors, core::Index rows, double* sums) {
  const Tag d;
  const core::Index lanes = lane_count();
#if HWY_TARGET == HWY_SCALAR
  for (core::Index i = 0; i < rows; ++i) sums[i] = vectors[i];
  (void)d;
  (void)lanes;
#else
  const hn::FixedTag<double, 2> two;
  HWY_ALIGN double both[hn::MaxLanes(Tag())];
  for (core::Index i = 0; i < rows; i += 2, vectors += 2 * lanes) {
    const Vec a = hn::LoadU(d, vectors);
    const Vec b = hn::LoadU(d, vectors + lanes);
    hn::Store(hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)), d, both);
    auto sum = hn::Load(two, both);
    for (core::Index block = 2; block < lanes; block += 2) sum = hn::Add(sum, hn::Load(two, both + block));
    hn::StoreU(sum, two, sums + i);
  }
#endif
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
