#include <armilla/alm/convention.hpp>
#include <armilla/core/error.hpp>

#include <cmath>
#include <complex>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::alm {
namespace {

using Complex = std::complex<double>;

constexpr double kPi = 3.14159265358979323846;

std::vector<Convention> all_conventions() {
  std::vector<Convention> result;
  for (const Norm norm : {Norm::kOrthonormal, Norm::k4Pi, Norm::kSchmidt, Norm::kUnnormalised})
    for (const Phase phase : {Phase::kCondonShortley, Phase::kNone})
      for (const Basis basis : {Basis::kComplex, Basis::kReal}) result.push_back({norm, phase, basis});
  return result;
}

/// One coefficient (l, m) of a convention, as Armilla's.
Complex taken_in(const Convention& convention, Index l, Index m, Complex value) {
  std::vector<Complex> row(static_cast<std::size_t>(l - m + 1));
  row.back() = value;
  from_convention<double>(convention, m, row);
  return row.back();
}

TEST(Convention, TheDefaultChangesNothing) {
  EXPECT_EQ(taken_in({}, 7, 3, {1.25, -2.5}), Complex(1.25, -2.5));
  EXPECT_EQ(Convention().text(), "orthonormal, Condon-Shortley phase, complex");
}

// cos(theta) and sin(theta) cos(phi), sin(theta) sin(phi) have the coefficient 1 where harmonics are P_lm without the
// phase; their orthonormal coefficients are known in closed form.
TEST(Convention, UnnormalisedHarmonicsOfDegreeOne) {
  const Convention plain{Norm::kUnnormalised, Phase::kNone, Basis::kReal};
  EXPECT_NEAR(taken_in(plain, 1, 0, {1, 0}).real(), std::sqrt(4 * kPi / 3), 1e-15);
  const Complex x = taken_in(plain, 1, 1, {1, 0});
  EXPECT_NEAR(x.real(), -std::sqrt(2 * kPi / 3), 1e-15);
  EXPECT_EQ(x.imag(), 0);
  const Complex y = taken_in(plain, 1, 1, {0, 1});
  EXPECT_EQ(y.real(), 0);
  EXPECT_NEAR(y.imag(), std::sqrt(2 * kPi / 3), 1e-15);
}

// x = sin(theta) cos(phi) again: 4-pi harmonics of degree one are sqrt(3) times x, y, z; Schmidt's are x, y, z.
TEST(Convention, GeodesyAndGeomagnetismOfDegreeOne) {
  const Complex x(-std::sqrt(2 * kPi / 3), 0);
  const Complex geodesy = taken_in({Norm::k4Pi, Phase::kNone, Basis::kReal}, 1, 1, {1 / std::sqrt(3.0), 0});
  const Complex magnetism = taken_in({Norm::kSchmidt, Phase::kNone, Basis::kReal}, 1, 1, {1, 0});
  EXPECT_NEAR(std::abs(geodesy - x), 0, 1e-15);
  EXPECT_NEAR(std::abs(magnetism - x), 0, 1e-15);
}

TEST(Convention, ThePhaseTurnsOddOrdersOnly) {
  const Convention none{Norm::kOrthonormal, Phase::kNone, Basis::kComplex};
  EXPECT_EQ(taken_in(none, 5, 2, {1, 2}), Complex(1, 2));
  EXPECT_EQ(taken_in(none, 5, 3, {1, 2}), Complex(-1, -2));
}

TEST(Convention, ToUndoesFromWhicheverItIs) {
  for (const Convention& convention : all_conventions())
    for (const Index m : {0, 1, 2, 77}) {
      std::vector<Complex> row;
      for (Index l = m; l <= kUnnormalisedLmax; ++l)
        row.emplace_back(1.0 / static_cast<double>(l + 1), m == 0 ? 0.0 : 0.3 * static_cast<double>(l));
      const std::vector<Complex> before = row;
      to_convention<double>(convention, m, row);
      from_convention<double>(convention, m, row);
      for (std::size_t i = 0; i < row.size(); ++i)
        ASSERT_LE(std::abs(row[i] - before[i]), 1e-15 * std::abs(before[i])) << convention.text() << " m " << m;
    }
}

TEST(Convention, UnnormalisedEndsWhereDoubleEnds) {
  const Convention plain{Norm::kUnnormalised, Phase::kNone, Basis::kReal};
  std::vector<Complex> last(1, 1.0);
  from_convention<double>(plain, kUnnormalisedLmax, last);
  EXPECT_TRUE(std::isfinite(last[0].real()));
  EXPECT_NE(last[0].real(), 0);
  EXPECT_THROW(from_convention<double>(plain, kUnnormalisedLmax + 1, last), core::InputError);
}

}  // namespace
}  // namespace armilla::alm
