#include <armilla/math/wigner.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "support/reference_data.hpp"
#include <gtest/gtest.h>

namespace armilla::math {
namespace {

TEST(SpinHarmonic, EqualsTheExactValues) {
  std::ifstream file(test::reference_file("legendre_exact.csv"));
  std::string line;
  std::getline(file, line);
  int checked = 0;
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    Index spin = 0;
    Index l = 0;
    Index m = 0;
    std::string theta;
    std::string value;
    fields >> spin >> l >> m >> theta >> value;
    const double exact = std::strtod(value.c_str(), nullptr);
    const double computed = spin_harmonic(spin, l, m, std::strtod(theta.c_str(), nullptr));
    ASSERT_TRUE(std::isfinite(computed)) << line;
    // l roundings of the argument and of the result.
    ASSERT_NEAR(computed, exact, 1e-15 * static_cast<double>(l + 10) * std::max(1.0, std::abs(exact))) << line;
    ++checked;
  }
  EXPECT_GT(checked, 1000);
}

TEST(SpinHarmonic, HasTheSymmetriesOfItsArguments) {
  for (const Index s : {0, 1, 2, 3, 10})
    for (const Index m : {0, 1, 4, 11})
      for (const Index l : {11, 12, 30}) {
        const double theta = 0.7;
        const double mirror = spin_harmonic(s, l, m, core::kPi - theta);
        const double sign = (l + m) % 2 == 0 ? 1 : -1;
        EXPECT_NEAR(mirror, sign * spin_harmonic(-s, l, m, theta), 1e-14);
      }
}

TEST(Extended, PowersDoNotUnderflow) {
  const Extended<double> tiny = power(1e-3, 100000);
  EXPECT_NEAR(std::log10(std::abs(tiny.mantissa)) + static_cast<double>(tiny.exponent) * std::log10(2.0), -300000,
              1e-6);
  EXPECT_EQ(tiny.value(), 0.0);
  EXPECT_EQ(power(0.0, 0).value(), 1.0);
  EXPECT_EQ(power(0.0, 3).value(), 0.0);
  EXPECT_DOUBLE_EQ(power(3.0, 5).value(), 243.0);
  EXPECT_DOUBLE_EQ(square_root(Extended<double>{9.0, -4}).value(), 0.75);
  EXPECT_DOUBLE_EQ(square_root(Extended<double>{9.0, -5}).value(), 3.0 / std::sqrt(32.0));
}

TEST(RisingStep, GivesTheFunctionsNextToAPole) {
  for (const Index spin : {0, 1, 2, 5}) {
    for (const Index m : {0, 1, 2, 3, 7, 40}) {
      for (const double theta : {1e-6, 0.003, 0.2, 1.5}) {
        const Index lmax = 300;
        const auto half = HalfAngle<double>::from(std::cos(theta), std::sin(theta));
        const Index lowest = lowest_degree(spin, m);
        double plus = spin_harmonic(spin, lowest, m, theta);
        double minus = spin_harmonic(-spin, lowest, m, theta);
        double rest_plus = 0;
        double rest_minus = 0;
        for (Index l = lowest; l < lmax; ++l) {
          const RisingStep step = rising_step(spin, m, l);
          rest_plus = step.back_plus * rest_plus - step.slope * half.one_minus_cos * plus;
          rest_minus = step.back_minus * rest_minus - step.slope * half.one_minus_cos * minus;
          plus = step.rise_plus * plus + rest_plus;
          minus = step.rise_minus * minus + rest_minus;
        }
        const double exact_plus = spin_harmonic(spin, lmax, m, theta);
        const double exact_minus = spin_harmonic(-spin, lmax, m, theta);
        SCOPED_TRACE("spin " + std::to_string(spin) + ", m " + std::to_string(m) + ", theta " + std::to_string(theta));
        EXPECT_NEAR(plus, exact_plus, 1e-13 * std::max(1.0, std::abs(exact_plus)));
        EXPECT_NEAR(minus, exact_minus, 1e-13 * std::max(1.0, std::abs(exact_minus)));
      }
    }
  }
}

}  // namespace
}  // namespace armilla::math
