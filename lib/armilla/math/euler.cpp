#include <armilla/math/euler.hpp>

#include <cmath>
#include <cstddef>

namespace armilla::math {

namespace {

constexpr long double kLongPi = 3.14159265358979323846264338327950288L;

RotationMatrix about_z(long double angle) {
  const long double c = std::cos(angle);
  const long double s = std::sin(angle);
  return {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
}

RotationMatrix about_y(long double angle) {
  const long double c = std::cos(angle);
  const long double s = std::sin(angle);
  return {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
}

}  // namespace

EulerAngles EulerAngles::from_degrees(double psi, double theta, double phi) {
  // Full turns are subtracted in degrees, which is exact; 180 becomes the long double nearest to pi.
  const auto radian = [](double degrees) { return std::remainder(degrees, 360.0) * (kLongPi / 180); };
  return {radian(psi), radian(theta), radian(phi)};
}

EulerAngles inverse(const EulerAngles& angles) { return {-angles.phi, -angles.theta, -angles.psi}; }

RotationMatrix rotation_matrix(const EulerAngles& angles) {
  return product(about_z(angles.phi), product(about_y(angles.theta), about_z(angles.psi)));
}

EulerAngles euler_angles(const RotationMatrix& r) {
  const long double sine = std::hypot(r[0][2], r[1][2]);
  const long double theta = std::atan2(sine, r[2][2]);
  if (sine == 0) return {0, theta, std::atan2(-r[0][1], r[1][1])};
  return {std::atan2(r[2][1], -r[2][0]), theta, std::atan2(r[1][2], r[0][2])};
}

RotationMatrix transpose(const RotationMatrix& matrix) {
  RotationMatrix result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = matrix[j][i];
  return result;
}

RotationMatrix product(const RotationMatrix& a, const RotationMatrix& b) {
  RotationMatrix result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) result[i][j] += a[i][k] * b[k][j];
  return result;
}

}  // namespace armilla::math
