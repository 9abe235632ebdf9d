#pragma once

#include <armilla/radial/kernel.hpp>

#include <functional>

namespace armilla::radial {

/// sums[i] = sum over l of coefficients[l] P_l(cos angles[i]), computed by upward recurrence.
void legendre_sums(std::span<const double> coefficients, std::span<const double> angles, std::span<double> sums);

/// The integral of f(angle) over 0 <= first .. last <= pi by Gauss-Legendre quadrature with 16 nodes per panel. Panels
/// are at most about `width` wide and are split at `breaks`.
double integrate(const std::function<double(double angle)>& f, double first, double last, double width,
                 std::span<const double> breaks = {});

/// K_l = 2 pi times the integral of K(d) P_l(cos d) sin d over 0 .. cutoff, l = 0 .. lmax (Elsner & Wandelt 2011, eq.
/// 2). Convolution with the kernel truncated at `cutoff` multiplies a_lm by K_l.
std::vector<double> legendre_transform(const Kernel& kernel, double cutoff, Index lmax);
/// The same with the integral over first .. cutoff.
std::vector<double> legendre_transform(const Kernel& kernel, double first, double cutoff, Index lmax);

}  // namespace armilla::radial
