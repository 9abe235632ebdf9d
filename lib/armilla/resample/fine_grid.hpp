#pragma once

#include <armilla/resample/convolution.hpp>

namespace armilla::resample {

/// The fine grid of a ThetaResampler, rings theta_j = pi (j + 1/2) / length, and the kernel (math::SpreadKernel) that
/// interpolates from it to the targets.
struct FineGrid {
  Index length = 0;  ///< a multiple of kFineStep, at least 4 kFineStep
  int width = kKernelWidth;
  double oversampling = 0;  ///< of the kernel, determines its beta

  friend bool operator==(const FineGrid&, const FineGrid&) = default;
};
inline constexpr Index kFineStep = 8;

/// The fine grid for arbitrary targets, with a relative error of about 2e-14.
FineGrid fine_grid_of(Index lmax);

}  // namespace armilla::resample
