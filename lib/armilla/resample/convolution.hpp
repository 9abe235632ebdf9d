#pragma once

#include <armilla/core/types.hpp>
#include <armilla/resample/pair_value.hpp>

namespace armilla::resample {

using core::Index;

/// A sparse matrix from points of the fine grid to targets: kKernelWidth neighbouring points for each target.
struct Convolution {
  Index targets = 0;
  const Index* first_point = nullptr;  ///< [target]
  const double* weights = nullptr;     ///< [target][kKernelWidth]
};

/// target_i = sum over k of weight_ik point_{first_i + k}, k ascending, for targets from `first_target` on.
void interpolate(const Convolution& convolution, Index first_target, const PairValue* points, PairValue* target);

/// The transpose: point_{first_i + k} += weight_ik target_i, targets ascending from `first_target` on.
void spread(const Convolution& convolution, Index first_target, const PairValue* target, PairValue* points);

}  // namespace armilla::resample
