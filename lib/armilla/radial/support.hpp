#pragma once

#include <armilla/radial/kernel.hpp>

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace armilla::radial {

/// The relative rms error of a map that is convolved with the kernel cut at `cutoff` (Elsner & Wandelt 2011, eq. 7),
/// for the worse of two inputs: a flat spectrum, where it is the root of the integral of K^2 beyond over the whole one,
/// and a monopole, where it is the integral of |K| beyond over that of |K|.
double cutoff_error(const Kernel& kernel, double cutoff);

/// The same for an input with the power spectrum C_l, l = 0 ..: the root of the sum of (2l + 1) C_l (K_l - cut K_l)^2
/// over that of (2l + 1) C_l K_l^2. Keeps what it has found for other cutoffs.
class SpectrumError {
 public:
  /// Holds a reference to the kernel. Throws InputError where the latter sum is zero.
  SpectrumError(const Kernel& kernel, std::span<const double> spectrum);
  double at_cutoff(double cutoff);

 private:
  Index lmax() const { return static_cast<Index>(spectrum_.size()) - 1; }

  const Kernel& kernel_;
  std::vector<double> spectrum_;
  double power_ = 0;
  std::vector<double> ends_;                 // cutoffs
  std::vector<std::vector<double>> beyond_;  // [cutoff] the Legendre transform of the kernel beyond
};

/// The least angle, to 1%, where error_at(angle) is at most `error`; the end of the kernel where none is.
double cutoff_of_error(const Kernel& kernel, double error, const std::function<double(double)>& error_at);

/// The largest |K| at `cutoff` over the largest anywhere: the step that cutting makes.
double step_at(const Kernel& kernel, double cutoff);

/// The integral of |K(d)| sin d over 0 .. cutoff.
double absolute_integral(const Kernel& kernel, double cutoff);

/// The integral of the kernel, cut there, over that of its absolute value: zero for wavelets.
double mean_share(const Kernel& kernel, double cutoff);

/// The lowest degree from which on the modes of the kernel along any great circle are below `error` times the largest,
/// and so those of its Legendre series and its rows; nothing where it is above 204800.
std::optional<Index> band_limit(const Kernel& kernel, double error);

/// The highest mode along two rings with sin(theta) sin(theta') = g^2 of a kernel with that band limit. Rows fall like
/// Bessel functions of the argument `degree g` behind it.
Index row_modes(Index degree, double g);

}  // namespace armilla::radial
