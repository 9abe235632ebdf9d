#pragma once

#include <armilla/radial/kernel.hpp>

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace armilla::radial {

/// The relative rms error of a map convolved with the kernel truncated at `cutoff` (Elsner & Wandelt 2011, eq. 7), for
/// the worse of two inputs. For a flat spectrum it is the square root of the integral of K^2 beyond the cutoff over the
/// total. For a monopole it is the integral of |K| beyond the cutoff over the total.
double cutoff_error(const Kernel& kernel, double cutoff);

/// The error for an input with power spectrum C_l, l = 0 ..: the square root of the sum of (2l + 1) C_l (K_l - cut
/// K_l)^2 over the sum of (2l + 1) C_l K_l^2. Caches the results for other cutoffs.
class SpectrumError {
 public:
  /// Holds a reference to the kernel. Throws InputError if the second sum is zero.
  SpectrumError(const Kernel& kernel, std::span<const double> spectrum);
  double at_cutoff(double cutoff);

 private:
  Index lmax() const { return static_cast<Index>(spectrum_.size()) - 1; }

  const Kernel& kernel_;
  std::vector<double> spectrum_;
  double power_ = 0;
  std::vector<double> ends_;                 // cutoffs
  std::vector<std::vector<double>> beyond_;  // [cutoff] the Legendre transform of the kernel beyond it
};

/// The smallest angle, to 1%, at which error_at(angle) is at most `error`; the end of the kernel if there is none.
double cutoff_of_error(const Kernel& kernel, double error, const std::function<double(double)>& error_at);

/// The largest |K| at `cutoff` over the overall maximum: the discontinuity caused by truncation.
double step_at(const Kernel& kernel, double cutoff);

/// The integral of |K(d)| sin d over 0 .. cutoff.
double absolute_integral(const Kernel& kernel, double cutoff);

/// The integral of the truncated kernel over that of its absolute value: zero for wavelets.
double mean_share(const Kernel& kernel, double cutoff);

/// The lowest degree above which the modes of the kernel along any great circle are below `error` times the largest.
/// The same bound holds for its Legendre series and its rows. std::nullopt if it exceeds 204800.
std::optional<Index> band_limit(const Kernel& kernel, double error);

/// The highest mode along two rings with sin(theta) sin(theta') = g^2, for a kernel with that band limit. Beyond it,
/// rows decay like Bessel functions of argument `degree g`.
Index row_modes(Index degree, double g);

}  // namespace armilla::radial
