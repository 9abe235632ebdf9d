#include <armilla/alm/alm_layout.hpp>
#include <armilla/math/wigner.hpp>
#include <armilla/rotation/rotator.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::rotation {
namespace {

using Complex = std::complex<double>;

constexpr double kPi = core::kPi;

using core::at;

// Fields with all degrees up to lmax in healpy's order, and their rotation.
template <class T>
struct Fields {
  alm::AlmLayout layout;
  Index count;
  std::vector<std::complex<T>> values;

  Fields(Index lmax, Index fields)
      : layout(lmax, lmax), count(fields), values(at(layout.size() * fields), std::complex<T>(0)) {}

  std::complex<T>& operator()(Index f, Index l, Index m) { return values[at(f * layout.size() + layout.index(l, m))]; }

  void fill(std::uint64_t seed) {
    for (Index f = 0; f < count; ++f)
      for (Index m = 0; m <= layout.lmax(); ++m)
        for (Index l = m; l <= layout.lmax(); ++l) {
          const auto key = static_cast<std::uint64_t>((f << 40) + (l << 20) + m);
          (*this)(f, l, m) = std::complex<T>(static_cast<T>(test::noise(seed, key)),
                                             m == 0 ? T(0) : static_cast<T>(test::noise(seed, key, 1)));
        }
  }

  void rotate(const math::EulerAngles& angles, int threads = 2, Index run = 8) {
    std::vector<Index> offsets;
    const std::vector<Index> strides(at(layout.lmax() + 1), layout.size());
    for (Index m = 0; m <= layout.lmax(); ++m) offsets.push_back(layout.offset(m));
    std::vector<DegreeRun> runs;
    for (Index l = 0; l <= layout.lmax(); l += run) runs.push_back({l, std::min(run, layout.lmax() + 1 - l), l});
    Rotator(angles, layout.lmax(), threads).rotate<T>({values.data(), count, offsets, strides, runs});
  }
};

// d^l_mn(beta) by its explicit sum (Wigner 1931), which loses digits beyond l of some 20.
long double explicit_d(Index l, Index m, Index n, long double beta) {
  const auto log_factorial = [](Index k) { return std::lgamma(static_cast<long double>(k + 1)); };
  long double sum = 0;
  for (Index s = std::max<Index>(0, n - m); s <= std::min(l + n, l - m); ++s) {
    const long double size =
        (log_factorial(l + m) + log_factorial(l - m) + log_factorial(l + n) + log_factorial(l - n)) / 2 -
        log_factorial(l + n - s) - log_factorial(s) - log_factorial(m - n + s) - log_factorial(l - m - s);
    const long double term = std::exp(size) *
                             std::pow(std::cos(beta / 2), static_cast<long double>(2 * l + n - m - 2 * s)) *
                             std::pow(std::sin(beta / 2), static_cast<long double>(m - n + 2 * s));
    sum += (m - n + s) % 2 != 0 ? -term : term;
  }
  return sum;
}

// d^l_mn(theta) of any l, m >= 0, by the recurrence of spin-weighted harmonics in l.
double recurrence_d(Index l, Index m, Index n, double theta) {
  const double value = math::spin_harmonic(-n, l, m, theta) * std::sqrt(4 * kPi / static_cast<double>(2 * l + 1));
  return n % 2 != 0 ? -value : value;
}

TEST(Rotator, FollowsTheDefinitionOfWigner) {
  for (const math::EulerAngles& angles :
       {math::EulerAngles{0.3L, 1.1L, -0.7L}, math::EulerAngles{-2.9L, 3.0L, 2.2L}, math::EulerAngles{0, -0.4L, 0},
        math::EulerAngles{5, 1e-9L, 1}, math::EulerAngles{0.1L, 8, -9}}) {
    Fields<double> field(12, 1);
    field.fill(1);
    Fields<double> before = field;
    field.rotate(angles);
    for (Index l = 0; l <= 12; ++l)
      for (Index m = 0; m <= l; ++m) {
        std::complex<long double> sum = 0;
        for (Index n = -l; n <= l; ++n) {
          std::complex<long double> a = before(0, l, std::abs(n));
          if (n < 0) a = (n % 2 != 0 ? -1.0L : 1.0L) * std::conj(a);
          const long double phase =
              -static_cast<long double>(m) * angles.phi - static_cast<long double>(n) * angles.psi;
          sum += explicit_d(l, m, n, angles.theta) * a * std::complex<long double>(std::cos(phase), std::sin(phase));
        }
        EXPECT_NEAR(std::abs(Complex(sum) - field(0, l, m)), 0, 1e-14) << l << ' ' << m;
      }
  }
}

// One coefficient at (l, n) and its mirror image at -n become a column of d^l.
void check_column(Fields<double>& field, Index l, Index n, double theta, double bound) {
  std::ranges::fill(field.values, Complex(0));
  field(0, l, n) = {0.6, n == 0 ? 0.0 : -0.8};
  field.rotate({0.3L, theta, -0.7L});
  const Complex a =
      field.count > 0 ? Complex(0.6, n == 0 ? 0.0 : -0.8) * std::polar(1.0, -0.3 * static_cast<double>(n)) : 0;
  const Complex mirror = (n % 2 != 0 ? -1.0 : 1.0) * std::conj(a);
  for (Index m = 0; m <= l; m += m < 5 ? 1 : 1 + l / 15) {
    Complex expected = recurrence_d(l, m, n, theta) * a;
    if (n > 0) expected += recurrence_d(l, m, -n, theta) * mirror;
    const long double phase = 0.7L * static_cast<long double>(m);
    expected *= Complex(static_cast<double>(std::cos(phase)), static_cast<double>(std::sin(phase)));
    EXPECT_NEAR(std::abs(field(0, l, m) - expected), 0, bound)
        << "l " << l << " m " << m << " n " << n << " theta " << theta;
  }
}

void check_columns(Index l) {
  Fields<double> field(l, 1);
  for (const Index n : {Index{0}, Index{1}, l / 2, l - 1, l})
    for (const double theta : {1e-8, 0.01, 1.1, kPi / 2, 3.1}) check_column(field, l, n, theta, 1e-13);
}

TEST(Rotator, AgreesWithTheRecurrenceInL) {
  for (const Index l : {1, 2, 31, 127}) check_columns(l);
  Fields<double> field(1023, 1);
  for (const Index n : {0, 700, 1023}) check_column(field, 1023, n, 1.1, 1e-13);
}

TEST(RotatorSweep, AgreesWithTheRecurrenceInLAtHighDegrees) {
  for (const Index l : {255, 1023}) check_columns(l);
  Fields<double> field(4095, 1);
  for (const Index n : {0, 1, 2700, 4095}) check_column(field, 4095, n, 1.1, 3e-13);
}

void check_there_and_back(Index lmax) {
  Fields<double> field(lmax, 1);
  field.fill(2);
  const Fields<double> before = field;
  const math::EulerAngles angles{0.3L, 1.1L, -0.7L};
  field.rotate(angles);
  EXPECT_GT(test::relative_rms(field.values, before.values), 1.0);
  field.rotate(inverse(angles));
  const double error = test::relative_rms(field.values, before.values);
  EXPECT_LE(error, 1e-13);
  double largest = 0;
  for (std::size_t i = 0; i < before.values.size(); ++i)
    largest = std::max(largest, std::abs(field.values[i] - before.values[i]));
  EXPECT_LE(largest, 1e-12);
  std::printf("lmax %lld, there and back: rms %.1e, largest %.1e\n", static_cast<long long>(lmax), error, largest);
}

TEST(Rotator, ThereAndBackIsTheIdentity) { check_there_and_back(1023); }
TEST(RotatorSweep, ThereAndBackIsTheIdentityAtLmax4095) { check_there_and_back(4095); }

TEST(Rotator, HasTheSameBitsInAnyCompany) {
  const math::EulerAngles angles{0.3L, 1.1L, -0.7L};
  Fields<double> alone(130, 1);
  alone.fill(3);
  const Fields<double> one = alone;
  alone.rotate(angles, 1);
  for (const Index fields : {1, 2, 3, 4, 5, 7})
    for (const Index run : {1, 3, 8, 200}) {
      Fields<double> together(130, fields);
      for (Index f = 0; f < fields; ++f) std::ranges::copy(one.values, together.values.begin() + f * one.layout.size());
      together.rotate(angles, 3, run);
      for (Index f = 0; f < fields; ++f)
        EXPECT_EQ(0, std::memcmp(alone.values.data(), &together(f, 0, 0), alone.values.size() * sizeof(Complex)))
            << fields << ' ' << run << ' ' << f;
    }
}

TEST(Rotator, ConservesThePowerOfEachDegree) {
  Fields<double> field(200, 2);
  field.fill(4);
  Fields<double> before = field;
  field.rotate({1, 2, 3});
  for (Index f = 0; f < 2; ++f)
    for (Index l = 0; l <= 200; ++l) {
      const auto power = [&](Fields<double>& a) {
        double sum = 0;
        for (Index m = 0; m <= l; ++m) sum += (m == 0 ? 1 : 2) * std::norm(a(f, l, m));
        return sum;
      };
      EXPECT_NEAR(power(field) / power(before), 1, 1e-13);
    }
}

TEST(Rotator, RotatesSinglePrecisionAsDoubleRounded) {
  Fields<float> field(100, 3);
  field.fill(5);
  Fields<double> wide(100, 3);
  std::ranges::copy(field.values, wide.values.begin());
  const math::EulerAngles angles{0.3L, 1.1L, -0.7L};
  field.rotate(angles);
  wide.rotate(angles);
  for (std::size_t i = 0; i < wide.values.size(); ++i)
    EXPECT_EQ(field.values[i], std::complex<float>(wide.values[i])) << i;
}

// Beyond m_t(m) the elements fall below any number, and the recurrence grows by hundreds of orders where it begins
// there.
void check_large_fields(Index lmax) {
  Fields<double> field(lmax, 1);
  field.fill(6);
  for (auto& value : field.values) value *= 1e150;
  const Fields<double> before = field;
  field.rotate({0.3L, 1.1L, -0.7L});
  field.rotate({0.7L, -1.1L, -0.3L});
  EXPECT_LE(test::relative_rms(field.values, before.values), 1e-13);
}

TEST(Rotator, StaysFiniteWhereTheFieldIsLarge) { check_large_fields(1000); }
TEST(RotatorSweep, StaysFiniteWhereTheFieldIsLarge) { check_large_fields(3000); }

TEST(Rotator, IgnoresImaginaryPartsOfMZero) {
  Fields<double> real(9, 1);
  real.fill(7);
  Fields<double> other = real;
  for (Index l = 0; l <= 9; ++l) other(0, l, 0) += Complex(0, 3);
  real.rotate({1, 2, 3});
  other.rotate({1, 2, 3});
  EXPECT_EQ(real.values, other.values);
  for (Index l = 0; l <= 9; ++l) EXPECT_EQ(real(0, l, 0).imag(), 0);
}

TEST(Phases, AreExactAtAnyM) {
  const Phases phases = make_phases(2.5L, 1, 5000);
  const Phases signs = make_phases(2.5L, 1, 5000, PhaseSign::kPairs);
  const long double quarter = std::acos(0.0L);
  for (const Index m : {0, 1, 2, 3, 63, 64, 65, 66, 67, 4095, 5000}) {
    const long double angle = static_cast<long double>(m) * (2.5L + quarter);
    EXPECT_NEAR(phases.cosine[at(m)], static_cast<double>(std::cos(angle)), 7e-16);  // products of two rounded numbers
    EXPECT_NEAR(phases.minus_sine[at(m)], -static_cast<double>(std::sin(angle)),
                7e-16);  // products of two rounded numbers
    EXPECT_EQ(signs.cosine[at(m)], (m & 2) != 0 ? -phases.cosine[at(m)] : phases.cosine[at(m)]);
  }
}

}  // namespace
}  // namespace armilla::rotation
