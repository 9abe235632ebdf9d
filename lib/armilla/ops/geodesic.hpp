#pragma once

#include <complex>

namespace armilla::ops {

/// Where the geodesic of a tangent vector ends that starts at colatitude theta. Angles in rad.
struct Geodesic {
  double theta = 0;       ///< colatitude of the end
  double phi_change = 0;  ///< longitude of the end minus that of the start, in [-pi, pi]
  /// The angle between the geodesic and the meridian at the start, minus that at the end: the components of a tensor of
  /// spin s at the end, carried back to the start by parallel transport, are multiplied by exp(i s gamma).
  double gamma = 0;

  /// `vector`: its southward and its eastward component [rad].
  Geodesic(double cos_theta, double sin_theta, std::complex<double> vector);
};

/// The tangent vector at colatitude theta, southward and eastward [rad], of the shortest geodesic to a point of
/// colatitude `to` whose longitude is larger by `phi_change`. Where that is the antipode, its direction is arbitrary.
std::complex<double> vector_to(double cos_theta, double sin_theta, double to, double phi_change);

}  // namespace armilla::ops
