#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::normal_matrix {

using core::Index;

/// Input of the normal matrix M = Y^T W Y of one spin field: harmonics of one spin up to lmax, m = 0 .. mmax, on pairs
/// of mirror rings from the pole to the equator. The rings of a pair have equal numbers of pixels, first pixels and
/// weights.
struct NormalTask {
  Index lmax = 0;
  Index spin = 0;
  std::vector<Index> first_pair;  ///< [m] m does not contribute to pairs before this one; ascending
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
