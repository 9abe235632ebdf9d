#pragma once

#include <armilla/core/types.hpp>
#include <armilla/resample/meridian.hpp>
#include <armilla/resample/pair_value.hpp>

namespace armilla::resample {

using core::Index;

/// Points of the fine grid that one target reads.
inline constexpr int kKernelWidth = 16;

/// Smallest ratio of the fine grid to lmax + 1. The error of the kernel decreases like exp(-pi width sqrt(1 -
/// 1/ratio)), here 2e-14; a smaller ratio would require a wider kernel.
inline constexpr double kOversampling = 1.66;

/// Points of the fine grid per target: the kernel's points and padding, so that windows begin at vector boundaries.
inline constexpr int kWindowStep = 4;
inline constexpr int kWindow = kKernelWidth + kWindowStep;

/// A sparse matrix from points of a half of the fine grid to targets, with kWindow consecutive points for each target.
struct Convolution {
  const Index* first_point = nullptr;  ///< [target] a multiple of kWindowStep
  const double* weights = nullptr;     ///< [target][kWindow], zero outside the kernel
};

/// One half of the meridian.
enum class Hemisphere : char { kNorth, kSouth };

inline RingColumn column_of(PairValue* pairs) { return {reinterpret_cast<std::complex<double>*>(pairs)}; }
inline ConstRingColumn column_of(const PairValue* pairs) {
  return {reinterpret_cast<const std::complex<double>*>(pairs)};
}

/// target_i = sum over k of weight_ik point_{first_i + k} in both halves, for targets begin .. end - 1. The ring pairs
/// of `targets` start at target `begin`. Halves of points are aligned to 64 bytes with step 1.
void interpolate(const Convolution& convolution, Index begin, Index end, ConstHalves points, RingColumn targets);

/// The transpose: point_{first_i + k} += weight_ik target_i, targets ascending from `begin` to `end` - 1.
void spread(const Convolution& convolution, Index begin, Index end, ConstRingColumn targets, Halves points);

/// Variants for targets with a single ring, in the half given by `hemisphere` [target]. Target i is at rings[(i -
/// begin) stride].
void interpolate_rings(const Convolution& convolution, const Hemisphere* hemisphere, Index begin, Index end,
                       ConstHalves points, std::complex<double>* rings, Index stride);
void spread_rings(const Convolution& convolution, const Hemisphere* hemisphere, Index begin, Index end,
                  const std::complex<double>* rings, Index stride, Halves points);

}  // namespace armilla::resample
