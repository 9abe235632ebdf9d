#pragma once

#include <array>

namespace armilla::math {

/// 3 x 3, [row][column]; maps the (x, y, z) of a point to those of its image.
using RotationMatrix = std::array<std::array<long double, 3>, 3>;

/// The rotation by psi about z, then by theta about y, then by phi about z, with fixed axes: active, right-handed, in
/// radians, as in ducc0.sht.rotate_alm. A field f becomes g with g(R x) = f(x). Angles are long double because they are
/// multiplied by m: at m = 4095, half a unit in the last place of a double is 1e-12.
struct EulerAngles {
  long double psi = 0;
  long double theta = 0;
  long double phi = 0;

  static EulerAngles from_degrees(double psi, double theta, double phi);
};

/// The inverse of the rotation `angles`.
EulerAngles inverse(const EulerAngles& angles);

RotationMatrix rotation_matrix(const EulerAngles& angles);

/// The angles of a rotation, theta in [0, pi]. If z is unchanged or reversed, psi = 0.
EulerAngles euler_angles(const RotationMatrix& matrix);

RotationMatrix transpose(const RotationMatrix& matrix);
/// The product of two rotations: first b, then a.
RotationMatrix product(const RotationMatrix& a, const RotationMatrix& b);

}  // namespace armilla::math
