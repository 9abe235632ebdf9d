#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::resample {

using core::Index;

/// Points of the fine grid that one target reads.
inline constexpr int kKernelWidth = 16;

/// Least ratio of the fine grid to lmax + 1. The error of the kernel falls like exp(-pi width sqrt(1 - 1/ratio)), which
/// is 2e-14 here; a smaller ratio would need a wider kernel.
inline constexpr double kOversampling = 1.66;

/// The "exponential of semicircle" exp(beta (sqrt(1 - x^2) - 1)), x = 2 u / kKernelWidth, of Barnett, Magland & af
/// Klinteberg 2019, u in units of the fine grid; zero beyond |x| = 1.
class SpreadKernel {
 public:
  /// For a fine grid with `oversampling` times more points than coefficients, which sets beta.
  explicit SpreadKernel(double oversampling);

  double value(double u) const;
  /// The Fourier transform, integral of value(u) cos(frequency u) du, frequency in radian per point of the fine grid.
  double transform(double frequency) const;

 private:
  double beta_;
  std::vector<double> node_;    ///< of the quadrature over half the width
  std::vector<double> weight_;  ///< of the quadrature, times the kernel
};

}  // namespace armilla::resample
