#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/math/spread_kernel.hpp>

namespace armilla::nufft {

/// Half the number of coefficients of a polynomial. Its degree, 2 terms - 1, keeps the error below a tenth of
/// kernel_error for any oversampling up to 2.
constexpr int polynomial_terms(int width) { return (width + 3) / 2; }

/// The kernel as piecewise polynomials. For a point at u, a window of `width` samples begins at sample `first` = ceil(u
/// - width / 2). Sample first + j has the weight p_j(z), z = 2 (first - u) + width - 1 in [-1, 1). The kernel is even,
/// so p_{width - 1 - j}(z) = p_j(-z). With even and odd parts, p_j(z) = e_j(z^2) + z o_j(z^2), one evaluation gives
/// both.
template <class T>
class KernelTable {
 public:
  /// Interpolates the kernel at Chebyshev nodes. The error is that of polynomial_terms plus rounding to T.
  explicit KernelTable(const math::SpreadKernel& kernel);

  int width() const { return width_; }
  /// [j < (width + 1) / 2][term, descending power of z^2][even part, odd part]
  const T* coefficients() const { return coefficients_.data(); }
  /// p_j(z) for j = 0 .. width - 1; equals the vectorised evaluation up to rounding.
  T value(int j, T z) const;

 private:
  int width_;
  core::AlignedVector<T> coefficients_;
};

}  // namespace armilla::nufft
