#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/math/spread_kernel.hpp>

namespace armilla::nufft {

/// Half of the number of coefficients of a polynomial. The degree, 2 terms - 1, leaves an error below a tenth of
/// kernel_error at any oversampling up to 2.
constexpr int polynomial_terms(int width) { return (width + 3) / 2; }

/// The kernel as piecewise polynomials. A window of `width` samples begins at the sample number `first` = ceil(u -
/// width / 2) for a point at u; sample first + j has the weight p_j(z), z = 2 (first - u) + width - 1 in [-1, 1). As
/// the kernel is even, p_{width - 1 - j}(z) = p_j(-z): with even and odd parts, p_j(z) = e_j(z^2) + z o_j(z^2), one
/// evaluation gives both.
template <class T>
class KernelTable {
 public:
  /// Interpolates the kernel at Chebyshev nodes. Errors are those of polynomial_terms plus rounding to T.
  explicit KernelTable(const math::SpreadKernel& kernel);

  int width() const { return width_; }
  /// [j < (width + 1) / 2][term, descending power of z^2][even part, odd part]
  const T* coefficients() const { return coefficients_.data(); }
  /// p_j(z) for j = 0 .. width - 1, as the vectorised evaluation takes it up to rounding.
  T value(int j, T z) const;

 private:
  int width_;
  core::AlignedVector<T> coefficients_;
};

}  // namespace armilla::nufft
