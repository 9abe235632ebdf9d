#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <cmath>
#include <limits>

#include <kernels/lensing/angles.hpp>

namespace armilla::kernels {

// Formulas of lensing for one pixel. They are bitwise identical on host and device.

using core::Index;

/// A ring of a map; pixel j is at phi0 + 2 pi j / nphi.
struct MapRing {
  double theta, sin_theta, cos_theta;  ///< colatitude [rad]
  double phi0;                         ///< longitude of the first pixel [rad]
  Index nphi;
};

/// Arc tangent of a small argument, by its series.
HOST_DEVICE inline double small_arc(double t) {
  const double square = t * t;
  return t - t * square * (1.0 / 3 - square * (1.0 / 5 - square * (1.0 / 7)));
}

/// Displacement of a pixel of a ring along the geodesic of a tangent vector, southward and eastward [rad].
struct Displacement {
  double theta;       ///< colatitude of the end
  double phi_change;  ///< its longitude minus that of the pixel
  double gamma;       ///< angle between geodesic and meridian at the pixel, minus that at the end

  // If the squared displacement divided by the squared distance from the axis is smaller, the series are exact to
  // rounding.
  static constexpr double kLittle = 6e-5;

  /// Series for small displacements, which cover most pixels of lensed maps.
  HOST_DEVICE void displace_little(const MapRing& ring, double south, double east) {
    const double square = south * south + east * east;
    const double cosine = 1 - square / 2 * (1 - square / 12 * (1 - square / 30));
    const double share = 1 - square / 6 * (1 - square / 20);
    const double x = cosine * ring.sin_theta + share * south * ring.cos_theta, y = share * east;
    const double z = cosine * ring.cos_theta - share * south * ring.sin_theta, rho = std::sqrt(x * x + y * y);
    const double product = z * ring.cos_theta + rho * ring.sin_theta;
    theta = ring.theta + small_arc((rho * ring.cos_theta - z * ring.sin_theta) / product);
    phi_change = small_arc(y / x);
    // Napier's analogy in the triangle of n, n' and the pole:
    // tan(gamma / 2) = tan(phi_change / 2) cos((theta + theta') / 2) / cos((theta' - theta) / 2).
    gamma = 2 * small_arc(y * (ring.cos_theta + z) / ((rho + x) * (1 + product)));
  }

  HOST_DEVICE Displacement(const MapRing& ring, double south, double east) {
    if (south * south + east * east < kLittle * ring.sin_theta * ring.sin_theta) {
      displace_little(ring, south, east);
      return;
    }
    const double angle = std::sqrt(south * south + east * east);
    const auto [sine, cosine] = sine_cosine(angle);
    const double share = angle > 0 ? sine / angle : 1;
    // n' in the frame in which n has longitude 0; rho is its distance from the axis.
    const double x = cosine * ring.sin_theta + share * south * ring.cos_theta, y = share * east;
    const double z = cosine * ring.cos_theta - share * south * ring.sin_theta, rho = std::sqrt(x * x + y * y);
    theta = arc_tangent(rho, z);
    phi_change = arc_tangent(y, x);
    if (angle == 0 || rho == 0) {
      gamma = 0;
      return;
    }
    // Direction of the geodesic at n and at n', southward and eastward. Its component along phi times the distance from
    // the axis is constant (Clairaut).
    const double here_south = south / angle, here_east = east / angle;
    const double cos_change = x / rho, sin_change = y / rho;
    const double there_x = -sine * ring.sin_theta + cosine * here_south * ring.cos_theta, there_y = cosine * here_east;
    const double there_z = -sine * ring.cos_theta - cosine * here_south * ring.sin_theta;
    const double there_east = cos_change * there_y - sin_change * there_x;
    const double there_south = z * (cos_change * there_x + sin_change * there_y) - rho * there_z;
    gamma = arc_tangent(here_east * there_south - here_south * there_east,
                        here_south * there_south + here_east * there_east);
  }

  /// Longitude of the end for pixel j of the ring, in [0, 2 pi] [rad].
  HOST_DEVICE double phi(const MapRing& ring, Index j) const {
    const double phi = ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi) + phi_change;
    return phi - 2 * core::kPi * std::floor(phi / (2 * core::kPi));
  }
};

/// Multiplies first + i second by exp(i turn), in double.
template <class T>
HOST_DEVICE inline void turn_tensor(double turn, T& first, T& second) {
  const auto [s, c] = sine_cosine(turn);
  const auto a = static_cast<double>(first), b = static_cast<double>(second);
  first = static_cast<T>(c * a - s * b);
  second = static_cast<T>(s * a + c * b);
}

/// Violations of the assumptions of gravitational lensing in a deflection. The counts and extremes do not depend on the
/// order of the pixels.
struct DeflectionFaults {
  Index too_long;  ///< pixels displaced by more than pi
  double longest;  ///< the largest displacement [rad]
  Index folded;    ///< pixels whose determinant is at most 0
  double least;    ///< the smallest determinant

  /// Those of no pixels.
  HOST_DEVICE static DeflectionFaults none() { return {0, 0, 0, std::numeric_limits<double>::infinity()}; }
  /// Adds a pixel displaced by a vector.
  HOST_DEVICE void add(double south, double east) {
    const double length = std::sqrt(south * south + east * east);
    if (longest < length) longest = length;
    if (length > core::kPi) ++too_long;
  }
  /// Adds the determinant of a pixel.
  HOST_DEVICE void add_determinant(double determinant) {
    if (determinant < least) least = determinant;
    if (determinant <= 0) ++folded;
  }
  /// Adds other pixels.
  HOST_DEVICE void add(const DeflectionFaults& other) {
    too_long += other.too_long;
    folded += other.folded;
    if (longest < other.longest) longest = other.longest;
    if (other.least < least) least = other.least;
  }
};

}  // namespace armilla::kernels
