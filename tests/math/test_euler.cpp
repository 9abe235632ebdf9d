#include <armilla/core/types.hpp>
#include <armilla/math/euler.hpp>

#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

namespace armilla::math {
namespace {

void expect_equal(const RotationMatrix& a, const RotationMatrix& b) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(static_cast<double>(a[i][j] - b[i][j]), 0, 1e-17) << i << ' ' << j;
}

TEST(EulerAngles, TurnRightHandedAboutAxesThatDoNotMove) {
  const RotationMatrix about_y = rotation_matrix(EulerAngles::from_degrees(0, 90, 0));
  EXPECT_NEAR(static_cast<double>(about_y[0][2]), 1, 1e-18);  // z becomes x
  const RotationMatrix about_z = rotation_matrix(EulerAngles::from_degrees(90, 0, 0));
  EXPECT_NEAR(static_cast<double>(about_z[1][0]), 1, 1e-18);  // x becomes y
  // psi first: x -> y, which theta leaves alone, then phi: y -> -x.
  const RotationMatrix all = rotation_matrix(EulerAngles::from_degrees(90, 90, 90));
  EXPECT_NEAR(static_cast<double>(all[0][0]), -1, 1e-18);
}

TEST(EulerAngles, FollowFromTheMatrix) {
  for (const long double psi : {-3.0L, 0.0L, 1.0L})
    for (const long double theta : {1e-9L, 0.4L, 1.6L, 3.1L})
      for (const long double phi : {-2.0L, 0.0L, 3.0L}) {
        const EulerAngles found = euler_angles(rotation_matrix({psi, theta, phi}));
        EXPECT_NEAR(static_cast<double>(found.psi - psi), 0, 1e-17);
        EXPECT_NEAR(static_cast<double>(found.theta - theta), 0, 1e-17);
        EXPECT_NEAR(static_cast<double>(found.phi - phi), 0, 1e-17);
      }
  for (const RotationMatrix& exact :
       {RotationMatrix{{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}, RotationMatrix{{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}}})
    expect_equal(rotation_matrix(euler_angles(exact)), exact);
}

TEST(EulerAngles, OfTheInverseUndoThem) {
  const EulerAngles angles{0.3L, 1.1L, -0.7L};
  expect_equal(product(rotation_matrix(angles), rotation_matrix(inverse(angles))), {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  expect_equal(rotation_matrix(inverse(angles)), transpose(rotation_matrix(angles)));
}

TEST(EulerAngles, InDegreesLoseNothingToWholeTurns) {
  const EulerAngles angles = EulerAngles::from_degrees(720 + 30, 180, -360 * 1e6);
  EXPECT_EQ(angles.psi, EulerAngles::from_degrees(30, 0, 0).psi);
  EXPECT_EQ(angles.theta, std::acos(-1.0L));
  EXPECT_EQ(angles.phi, 0);
}

}  // namespace
}  // namespace armilla::math
