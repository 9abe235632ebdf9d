#pragma once

#include <armilla/core/types.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla::radial {

using core::Index;

/// A function of the angle between two directions. Immutable and thread-safe.
class Kernel {
 public:
  virtual ~Kernel() = default;

  /// The value at an angle in 0 .. pi [rad], in 1/sr.
  virtual double value(double angle) const = 0;
  /// The scale on which it varies [rad], for quadrature: panels of this width with 16 nodes are exact to rounding.
  virtual double scale() const = 0;
  /// The angle beyond which the kernel is zero [rad]; pi if there is no such angle.
  virtual double end() const { return core::kPi; }
  /// The highest degree for a sum of Legendre polynomials; std::nullopt for other kernels.
  virtual std::optional<Index> degree() const { return std::nullopt; }
  /// Ascending angles at which the kernel or one of its derivatives is discontinuous.
  virtual std::vector<double> breaks() const { return {}; }
};

/// exp(-d^2 / 2 sigma^2) / (2 pi sigma^2), sigma = fwhm / sqrt(8 ln 2), fwhm in rad. Throws InputError unless fwhm > 0.
std::shared_ptr<const Kernel> gaussian_kernel(double fwhm);

/// 1 / (2 pi (1 - cos r)) within r, 0 outside; r in rad. Throws InputError unless 0 < r <= pi.
std::shared_ptr<const Kernel> top_hat_kernel(double radius);

/// The spherical Mexican hat wavelet (Martinez-Gonzalez et al. 2002, eq. 3): with y = 2 tan(d/2),
/// (1 + (y/2)^2)^2 (2 - (y/R)^2) exp(-y^2 / 2 R^2) / (sqrt(2 pi) N R), N^2 = 1 + R^2/2 + R^4/4. Its mean is zero and
/// the integral of its square is 1. Throws InputError unless 0 < R <= 1.
std::shared_ptr<const Kernel> mexican_hat_kernel(double scale);

/// The natural cubic spline through (theta [rad], value [1/sr]) with zero slope at 0; zero beyond the last row. Between
/// theta = 0 and the first row, the spline is continued as an even function. Throws InputError for fewer than two rows,
/// for theta not ascending or outside 0 .. pi, and for non-finite values; the message begins with `name`.
std::shared_ptr<const Kernel> table_kernel(const std::string& name, std::span<const double> theta,
                                           std::span<const double> values);

/// sum over l of (2l + 1) / (4 pi) b_l P_l(cos d). Throws InputError if b is empty or not finite.
std::shared_ptr<const Kernel> series_kernel(std::span<const double> b);

/// The factor that a needlet applies to each degree.
enum class NeedletPart {
  kScale,  ///< b(l / B^scale) for B^(scale - 1) < l < B^(scale + 1)
  kBelow   ///< the complement of the scales >= `scale`: sqrt(1 - sum of their squares)
};

/// The window b_l of a needlet (Marinucci et al. 2008, section 2.1): b^2(x) = f(x/B) - f(x), where f decreases from 1
/// at 1/B to 0 at 1 as the integral of exp(-1 / (1 - t^2)). The squares over all scales and `kBelow` add up to 1 at
/// each l. Throws InputError unless B > 1, scale >= 0 and the window ends below degree 40000.
std::vector<double> needlet_window(double base, Index scale, NeedletPart part);

}  // namespace armilla::radial
