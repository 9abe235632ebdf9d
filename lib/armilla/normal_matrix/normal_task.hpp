#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::normal_matrix {

using core::Index;

/// What the normal matrix M = Y^T W Y of one spin field is made of: harmonics of one spin up to lmax, m = 0 ..
/// mmax, on pairs of mirror rings that have as many pixels, the same first pixel and the same weight, from the pole to
/// the equator.
struct NormalTask {
  Index lmax = 0;
  Index spin = 0;
  std::vector<Index> first_pair;  ///< [m] pairs before this one do not feel m; ascending
  std::vector<double> cos_theta;  ///< [pair] of the northern ring
  std::vector<double> sin_theta;  ///< [pair]
  std::vector<bool> has_mirror;   ///< [pair] false for the equator
  std::vector<Index> nphi;        ///< [pair] pixels of a ring
  std::vector<int> turn;          ///< [pair] exp(i nphi phi0): 1 or -1
  std::vector<double> weight;     ///< [pair] of a pixel [sr]

  Index mmax() const { return static_cast<Index>(first_pair.size()) - 1; }
  Index pairs() const { return static_cast<Index>(cos_theta.size()); }
};

}  // namespace armilla::normal_matrix
