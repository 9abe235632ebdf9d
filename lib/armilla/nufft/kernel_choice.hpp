#pragma once

#include <armilla/core/types.hpp>
#include <armilla/math/spread_kernel.hpp>

namespace armilla::nufft {

using core::Index;

/// Kernel widths for which the windows are compiled.
inline constexpr int kMinWidth = 3;
inline constexpr int kMaxWidth = 16;

/// The kernel and the fine grid of transforms at points: `fine_length` equidistant samples of [0, 2 pi) in theta and
/// the same number in phi. Row i is at theta = 2 pi (i + 1/2) / fine_length, column i at phi = 2 pi i / fine_length.
struct KernelChoice {
  int width = 0;              ///< samples per point, in theta and in phi
  Index fine_length = 0;      ///< a multiple of 32 with no prime factor above 7
  double oversampling = 0;    ///< determines beta of the kernel: fine_length / (2 (lmax + 1)), but at most 2
  double expected_error = 0;  ///< relative l2 error of the kernel (kernel_error), excluding rounding

  math::SpreadKernel kernel() const { return {width, oversampling}; }
};

/// Relative l2 error of a two-dimensional transform, in either direction, of fields with equal power in all degrees. It
/// is C exp(-pi width sqrt(1 - 1/oversampling)) as in Barnett, Magland & af Klinteberg 2019, with a measured C.
/// Measured errors at oversampling 1.2 to 2 are 0.5 to 1.1 times this value. Those of single waves of the highest
/// degrees are up to 5 times this value.
double kernel_error(int width, double oversampling);

/// The smallest relative l2 error that may be requested: max(2e-13, 1e-15 lmax) in double precision and 1e-6 in single
/// precision. The rounding of coordinates is amplified lmax times.
double best_accuracy(Index lmax, core::Precision precision);

/// The cheapest width and fine grid, with oversampling 1.2 to 2, whose kernel_error is at most a tenth of `accuracy`.
/// The remainder allows for rounding and for fields with more power in high degrees. The cost is that of 3 (lmax + 1)^2
/// points. The choice depends only on the arguments, so it is the same for both directions and on all ranks. Throws
/// InputError for lmax < 0, and for an accuracy above 0.5 or below best_accuracy.
KernelChoice choose_kernel(Index lmax, double accuracy, core::Precision precision);

}  // namespace armilla::nufft
