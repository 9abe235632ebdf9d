#include <armilla/ops/geodesic.hpp>

#include <cmath>

namespace armilla::ops {

Geodesic::Geodesic(double cos_theta, double sin_theta, std::complex<double> vector) {
  const double south = vector.real(), east = vector.imag();
  const double angle = std::hypot(south, east);
  const double cosine = std::cos(angle), share = angle > 0 ? std::sin(angle) / angle : 1;
  // The end in the frame where the start has longitude 0; rho is its distance from the axis.
  const double x = cosine * sin_theta + share * south * cos_theta, y = share * east;
  const double z = cosine * cos_theta - share * south * sin_theta, rho = std::hypot(x, y);
  theta = std::atan2(rho, z);
  phi_change = std::atan2(y, x);
  if (angle == 0 || rho == 0) return;
  // The direction of the geodesic here and there, southward and eastward. Its part along phi times the distance from
  // the axis does not change (Clairaut).
  const double here_south = south / angle, here_east = east / angle;
  const double sine = std::sin(angle), cos_change = x / rho, sin_change = y / rho;
  const double there_x = -sine * sin_theta + cosine * here_south * cos_theta, there_y = cosine * here_east;
  const double there_z = -sine * cos_theta - cosine * here_south * sin_theta;
  const double there_east = cos_change * there_y - sin_change * there_x;
  const double there_south = std::cos(theta) * (cos_change * there_x + sin_change * there_y) - rho * there_z;
  gamma =
      std::atan2(here_east * there_south - here_south * there_east, here_south * there_south + here_east * there_east);
}

std::complex<double> vector_to(double cos_theta, double sin_theta, double to, double phi_change) {
  const double cos_to = std::cos(to), sin_to = std::sin(to), half = std::sin(phi_change / 2);
  const double south = (sin_to * cos_theta - cos_to * sin_theta) - 2 * half * half * sin_to * cos_theta;
  const double east = sin_to * std::sin(phi_change);
  const double sine = std::hypot(south, east);  // of the distance
  const double cosine = cos_theta * cos_to + sin_theta * sin_to * (1 - 2 * half * half);
  const double distance = std::atan2(sine, cosine);
  if (sine == 0) return {distance, 0};  // here, or the antipode
  return {distance / sine * south, distance / sine * east};
}

}  // namespace armilla::ops
