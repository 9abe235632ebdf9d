#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/math/extended.hpp>

namespace armilla::math {

using core::Index;

/// Spin-weighted functions slambda_lm(theta) = sY_lm(theta, 0), orthonormal, with Condon-Shortley phase, m >= 0, spin
/// of either sign, by their three-term recurrence in l:
///   slambda_{l+1} = (slope (1 + c) - slope (1 - cos theta)) slambda_l - back slambda_{l-1},   c = m s / (l (l + 1)),
/// which follows from cos(theta) slambda_l = C_{l+1} slambda_{l+1} - c slambda_l + C_l slambda_{l-1} with
/// C_l = sqrt((l^2 - m^2) (l^2 - s^2) / (4 l^2 - 1)) / l (Varshalovich et al. 1988, section 4.8), solved for l + 1.
/// It uses 1 - cos(theta) instead of cos(theta), whose rounding would cost l^2 eps / theta near the poles.
template <class Real>
struct WignerStep {
  Real slope;       ///< 1 / C_{l+1}
  Real head_plus;   ///< slope (1 + c), for spin s
  Real head_minus;  ///< slope (1 - c), for spin -s
  Real back;        ///< C_l / C_{l+1}
};

/// Lowest degree of functions of this spin and m.
HOST_DEVICE constexpr Index lowest_degree(Index spin, Index m) {
  const Index s = spin < 0 ? -spin : spin;
  return s > m ? s : m;
}

/// C_l of the recurrence; 0 at l = lowest_degree, and at l = 0.
template <class Real>
HOST_DEVICE Real wigner_coupling(Index spin, Index m, Index l) {
  if (l == 0) return 0;
  const Real ll = static_cast<Real>(l) * static_cast<Real>(l);
  const Real a = static_cast<Real>(l - m) * static_cast<Real>(l + m);
  const Real b = static_cast<Real>(l - spin) * static_cast<Real>(l + spin);
  return std::sqrt(a * (b / (4 * ll - 1))) / static_cast<Real>(l);
}

/// The step from l to l + 1, l >= lowest_degree(spin, m).
template <class Real>
HOST_DEVICE WignerStep<Real> wigner_step(Index spin, Index m, Index l) {
  const Real slope = 1 / wigner_coupling<Real>(spin, m, l + 1);
  const Real c = l == 0 ? Real(0) : static_cast<Real>(m * spin) / (static_cast<Real>(l) * static_cast<Real>(l + 1));
  return {slope, slope * (1 + c), slope * (1 - c), slope * wigner_coupling<Real>(spin, m, l)};
}

/// The same step without cancellation near theta = 0, where the functions of one m are proportional to
/// rise_{l-1} rise_{l-2} .., for theta <= pi/2. With the remainder E_l = slambda_{l+1} - rise_l slambda_l,
///   E_l = back_l E_{l-1} - slope_l (1 - cos theta) slambda_l,   slambda_{l+1} = rise_l slambda_l + E_l,
/// where E = 0 initially. `rise` is head - back / rise_{l-1} of WignerStep, and `back` is its back / rise_{l-1}. Both
/// have closed forms, and all numbers are positive:
///   slope = (l + 1) sqrt((4 (l+1)^2 - 1) / (((l+1)^2 - m^2) ((l+1)^2 - s^2))),
///   rise = slope (l + 1 + a) (l + 1 +- b) / ((l + 1) (2 l + 1)),   back = slope (l - a) (l -+ b) / (l (2 l + 1)),
/// a = max(m, s), b = min(m, s), the upper sign for spin s, the lower for -s.
struct RisingStep {
  double slope;
  double rise_plus;   ///< for spin s
  double rise_minus;  ///< for spin -s
  double back_plus;
  double back_minus;
};

/// The step from l to l + 1, l >= lowest_degree(spin, m), spin >= 0.
HOST_DEVICE inline RisingStep rising_step(Index spin, Index m, Index l) {
  const double most = static_cast<double>(m > spin ? m : spin);
  const double least = static_cast<double>(m > spin ? spin : m);
  const double here = static_cast<double>(l);
  const double next = here + 1;
  const double slope = 1 / wigner_coupling<double>(spin, m, l + 1);
  const double rise = slope * (next + most) / (next * (2 * here + 1));
  const double back = l == 0 ? 0.0 : slope * (here - most) / (here * (2 * here + 1));
  return {slope, rise * (next + least), rise * (next - least), back * (here - least), back * (here + least)};
}

/// Half-angle functions of a colatitude, computed from its sine and cosine >= 0 without cancellation.
template <class Real>
struct HalfAngle {
  Real cosine;
  Real sine;
  Real one_minus_cos;  ///< 1 - cos(theta) = 2 sin^2(theta / 2)

  HOST_DEVICE static HalfAngle from(double cos_theta, double sin_theta) {
    const Real s = static_cast<Real>(sin_theta);
    const Real one_minus_cos = s * s / (1 + static_cast<Real>(cos_theta));
    const Real sine = std::sqrt(one_minus_cos / 2);
    return {std::sqrt((1 - sine) * (1 + sine)), sine, one_minus_cos};
  }
};

/// sqrt((2 l + 1)! / (4 pi (l + k)! (l - k)!)), l = max(m, |s|), k = min(m, |s|): the amplitude of the function of
/// lowest degree. Costs O(l).
Extended<long double> wigner_start_norm(Index spin, Index m);

/// slambda_lm of the lowest degree: +-norm cos(theta/2)^|m - s| sin(theta/2)^|m + s|. `norm` from wigner_start_norm.
Extended<long double> wigner_start(Index spin, Index m, Extended<long double> norm, const HalfAngle<long double>& half);

/// slambda_lm(theta), theta in [0, pi], any spin and m >= 0; 0 for l below the lowest degree, and if the value is below
/// the range of double. Each value takes l steps, so use it for tests and small tables, not for transforms.
double spin_harmonic(Index spin, Index l, Index m, double theta);

}  // namespace armilla::math
