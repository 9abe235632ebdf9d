#pragma once

#include <armilla/core/types.hpp>
#include <armilla/math/spread_kernel.hpp>

namespace armilla::nufft {

using core::Index;

/// Widths of the kernel that the windows are compiled for.
inline constexpr int kMinWidth = 3;
inline constexpr int kMaxWidth = 16;

/// The kernel and the fine grid of transforms at points: `fine_length` equidistant samples of [0, 2 pi) in theta and as
/// many in phi. Row i is at theta = 2 pi (i + 1/2) / fine_length, column i at phi = 2 pi i / fine_length.
struct KernelChoice {
  int width = 0;              ///< samples that a point reads, in theta and in phi
  Index fine_length = 0;      ///< a multiple of 32 without prime factors above 7
  double oversampling = 0;    ///< of the kernel's beta: fine_length / (2 (lmax + 1)), but at most 2
  double expected_error = 0;  ///< relative l2 error of the kernel (kernel_error), without rounding

  math::SpreadKernel kernel() const { return {width, oversampling}; }
};

/// Relative l2 error of a transform in two dimensions of fields with equal power in all degrees, either direction:
/// C exp(-pi width sqrt(1 - 1/oversampling)) as in Barnett, Magland & af Klinteberg 2019, C by measurement. Measured
/// errors at oversampling 1.2 to 2 are 0.5 to 1.1 times this, those of single waves of the highest degrees up to 5
/// times.
double kernel_error(int width, double oversampling);

/// The least relative l2 error that may be asked for: max(2e-13, 1e-15 lmax) in double precision, as the rounding of
/// coordinates is amplified lmax times, and 1e-6 in single precision.
double best_accuracy(Index lmax, core::Precision precision);

/// The cheapest width and fine grid, of oversampling 1.2 to 2, whose kernel_error is at most a tenth of `accuracy`; the
/// rest is for rounding and for fields with more power in high degrees. It depends on the arguments alone, so that both
/// directions and all ranks agree: the cost is that of 3 (lmax + 1)^2 points. Throws InputError for lmax < 0, and for
/// an accuracy above 0.5 or below best_accuracy.
KernelChoice choose_kernel(Index lmax, double accuracy, core::Precision precision);

}  // namespace armilla::nufft
