#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::math {

/// The "exponential of semicircle" exp(beta (sqrt(1 - x^2) - 1)), x = 2 u / width, of Barnett, Magland & af Klinteberg
/// 2019, u in units of the fine grid; zero beyond |x| = 1. A nonuniform FFT with it has a relative error of about
/// exp(-pi width sqrt(1 - 1/oversampling)).
class SpreadKernel {
 public:
  /// Of `width` >= 3 points, for a fine grid with `oversampling` > 1 times more points than coefficients, which sets
  /// beta.
  SpreadKernel(int width, double oversampling);

  int width() const { return width_; }

  double value(double u) const;
  /// The Fourier transform, integral of value(u) cos(frequency u) du, frequency in radian per point of the fine grid,
  /// 0 .. pi; by Gauss-Legendre quadrature.
  double transform(double frequency) const;
  /// [k] 1 / transform(2 pi k / fine_length), k = 0 .. lmax: what coefficients of exp(i k x) are multiplied by, on a
  /// fine grid of `fine_length` points on [0, 2 pi).
  std::vector<double> deconvolution(core::Index lmax, core::Index fine_length) const;

 private:
  int width_;
  double half_width_;
  double beta_;
  std::vector<double> node_;    ///< of the quadrature over half the width
  std::vector<double> weight_;  ///< of the quadrature, times the kernel
};

}  // namespace armilla::math
