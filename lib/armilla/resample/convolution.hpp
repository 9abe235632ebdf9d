#pragma once

#include <armilla/core/types.hpp>
#include <armilla/resample/meridian.hpp>
#include <armilla/resample/pair_value.hpp>

namespace armilla::resample {

using core::Index;

/// A sparse matrix from points of the fine grid to targets: kKernelWidth neighbouring points for each target.
struct Convolution {
  const Index* first_point = nullptr;  ///< [target]
  const double* weights = nullptr;     ///< [target][kKernelWidth]
};

inline RingColumn column_of(PairValue* pairs) { return {reinterpret_cast<std::complex<double>*>(pairs)}; }
inline ConstRingColumn column_of(const PairValue* pairs) {
  return {reinterpret_cast<const std::complex<double>*>(pairs)};
}

/// target_i = sum over k of weight_ik point_{first_i + k}, k ascending, for targets begin .. end - 1. The pairs of
/// rings of `targets` begin with target `begin`.
void interpolate(const Convolution& convolution, Index begin, Index end, const PairValue* points, RingColumn targets);

/// The transpose: point_{first_i + k} += weight_ik target_i, targets ascending from `begin` to `end` - 1.
void spread(const Convolution& convolution, Index begin, Index end, ConstRingColumn targets, PairValue* points);

}  // namespace armilla::resample
