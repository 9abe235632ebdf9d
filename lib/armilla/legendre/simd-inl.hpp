// The vector type of the kernels of this module, compiled once per instruction set. It is included by files that
// Highway's foreach_target compiles repeatedly.
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

// Keeps a loaded value in a register. Otherwise GCC reloads it for each use, which makes loads the bottleneck of loops
// that use a value twice.
HWY_INLINE void keep_loaded(Vec& v) {
#if HWY_COMPILER_GCC_ACTUAL && HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  asm("" : "+v"(v.raw));
#else
  (void)v;
#endif
}

// Targets with 32 registers: AVX-512 and 64-bit ARM.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr bool kManyRegisters = true;
#else
constexpr bool kManyRegisters = false;
#endif

// Recurrences carry value * 2^(800 scale), scale <= 0 (start_values.hpp). A lane contributes from scale 0. It reaches
// scale 0 at the first check at which it exceeds 2^720 at scale -1, that is 2^-80.
constexpr double kThreshold = 0x1p720;
constexpr double kDown = 0x1p-800;

// Distance between the steps at which recurrences check their magnitudes. A step is two degrees. Functions grow fastest
// at the lowest degrees; near 2^-80 they grow by less than 2^20 between checks, for any m up to 30000. The positions of
// checks depend only on the step, not on what is computed in parallel.
HWY_INLINE core::Index next_look(core::Index step) {
  const core::Index interval = step < 16 ? 2 : step < 64 ? 4 : 8;
  return (step / interval + 1) * interval;
}

// Vectors are summed in blocks of this size.
constexpr core::Index kSumBlock = static_cast<core::Index>(hn::MaxLanes(Tag()));

// Sums the lanes of each of `rows` consecutive vectors, rounded up to a multiple of kSumBlock. The two values of each
// 128-bit block are added first, then blocks half a vector apart, and so on.
template <core::Index kBlock = kSumBlock>
HWY_INLINE void sum_lanes(const double* vectors, core::Index rows, double* sums) {
  const Tag d;
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  for (core::Index i = 0; i < rows; ++i) sums[i] = vectors[i];
#else
  const core::Index lanes = lane_count();
  const auto two = [&](core::Index row) HWY_ATTR {
    const Vec a = hn::Load(d, vectors + row * lanes);
    const Vec b = hn::Load(d, vectors + (row + 1) * lanes);
    return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  };
  const auto halves = [&](Vec a, Vec b)
                          HWY_ATTR { return hn::Add(hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a)); };
  for (core::Index i = 0; i < rows; i += kBlock, vectors += kBlock * lanes) {
    if constexpr (kBlock == 2) {
      hn::StoreU(two(0), d, sums + i);
    } else if constexpr (kBlock == 4) {
      hn::StoreU(halves(two(0), two(2)), d, sums + i);
    } else {
      static_assert(kBlock == 8);
      const Vec s = halves(two(0), two(4));
      const Vec t = halves(two(2), two(6));
      hn::StoreU(
          hn::Add(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(t), s), hn::OddEvenBlocks(t, hn::SwapAdjacentBlocks(s))), d,
          sums + i);
    }
  }
#endif
}

}  // namespace armilla::legendre::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
