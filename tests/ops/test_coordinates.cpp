#include <armilla/ops/coordinates.hpp>

#include <cstddef>

#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

TEST(Coordinates, TurnAsHealpyTurnsThem) {
  // healpy.Rotator(coord=[from, to]).mat, healpy 1.20.1 with astropy 8.0.2.
  const auto expect = [](Coordinates from, Coordinates to, const double(&healpy)[3][3]) {
    const math::RotationMatrix there = coordinate_matrix(from, to);
    const math::RotationMatrix back = coordinate_matrix(to, from);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_NEAR(static_cast<double>(there[i][j]), healpy[i][j], 4e-15);
        EXPECT_NEAR(static_cast<double>(back[j][i]), healpy[i][j], 4e-15);
      }
  };
  using enum Coordinates;
  expect(kGalactic, kEquatorial,
         {{-0.054875539395714594, 0.49410945362336384, -0.8676661356858704},
          {-0.8734371047274336, -0.44482959429881663, -0.1980763896109499},
          {-0.4838349917703226, 0.7469822487020499, 0.4559837945175692}});
  expect(kGalactic, kEcliptic,
         {{-0.05487563486628312, 0.49410952885789716, -0.8676660868040493},
          {-0.9938213523891737, -0.11099097203832778, -0.0003516551470140832},
          {-0.09647685853808478, 0.8622857865103741, 0.49714730025296094}});
  expect(kEcliptic, kEquatorial,
         {{0.9999999999999906, -8.651314600163712e-08, -9.838583464995654e-08},
          {4.02386553932528e-08, 0.9174821682916503, -0.3977769109272801},
          {1.2468018087495808e-07, 0.3977769109272727, 0.9174821682916464}});
}

TEST(Coordinates, OfTheSameSystemStay) {
  for (const Coordinates one : kAllCoordinates) {
    EXPECT_EQ(coordinate_rotation(one, one).theta, 0);
    EXPECT_EQ(coordinate_rotation(one, one).phi, 0);
  }
}

TEST(Coordinates, HaveAngles) {
  for (const Coordinates from : kAllCoordinates)
    for (const Coordinates to : kAllCoordinates) {
      const math::RotationMatrix a = math::rotation_matrix(coordinate_rotation(from, to));
      const math::RotationMatrix b = coordinate_matrix(from, to);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(static_cast<double>(a[i][j] - b[i][j]), 0, 1e-17);
    }
}

TEST(Coordinates, HaveLetters) {
  EXPECT_EQ(letter_of(Coordinates::kEquatorial), "C");
  for (const Coordinates one : kAllCoordinates) EXPECT_EQ(coordinates_of_letter(letter_of(one)), one);
  EXPECT_FALSE(coordinates_of_letter("GEO"));
  EXPECT_FALSE(coordinates_of_letter(""));
}

}  // namespace
}  // namespace armilla::ops
