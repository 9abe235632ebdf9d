#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::math {

/// The "exponential of semicircle" exp(beta (sqrt(1 - x^2) - 1)), x = 2 u / width, of Barnett, Magland & af Klinteberg
/// 2019, u in units of the fine grid; zero beyond |x| = 1. A nonuniform FFT with this kernel has a relative error of
/// about exp(-pi width sqrt(1 - 1/oversampling)).
class SpreadKernel {
 public:
  /// For `width` >= 3 points, on a fine grid with `oversampling` > 1 times as many points as coefficients, which
  /// determines beta.
  SpreadKernel(int width, double oversampling);

  int width() const { return width_; }

  double value(double u) const;
  /// The Fourier transform, integral of value(u) cos(frequency u) du, with frequency 0 .. pi in radians per point of
  /// the fine grid; by Gauss-Legendre quadrature.
  double transform(double frequency) const;
  /// [k] 1 / transform(2 pi k / fine_length), k = 0 .. lmax: factors for coefficients of exp(i k x), on a fine grid of
  /// `fine_length` points on [0, 2 pi). Uses the threads of OpenMP.
  std::vector<double> deconvolution(core::Index lmax, core::Index fine_length) const;

 private:
  int width_;
  double half_width_;
  double beta_;
  std::vector<double> node_;    ///< nodes of the quadrature over half the width
  std::vector<double> weight_;  ///< weights of the quadrature, times the kernel
};

}  // namespace armilla::math
