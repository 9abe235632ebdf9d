#include <armilla/math/wigner_3j.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace armilla::math {
namespace {

long double log_factorial(Index n) { return std::lgammal(static_cast<long double>(n) + 1); }

/// (j l2 l3; 0 s -s) by Racah's sum (Edmonds 1957, eq. 3.6.10): exact for small l, where nothing cancels.
double by_racah(Index j, Index l2, Index l3, Index s) {
  const long double triangle = log_factorial(j + l2 - l3) + log_factorial(j - l2 + l3) + log_factorial(-j + l2 + l3) -
                               log_factorial(j + l2 + l3 + 1);
  const long double magnetic = 2 * log_factorial(j) + log_factorial(l2 + s) + log_factorial(l2 - s) +
                               log_factorial(l3 + s) + log_factorial(l3 - s);
  long double sum = 0;
  const Index begin = std::max<Index>({0, l2 - l3, j - l3 + s});
  const Index end = std::min({j + l2 - l3, j, l2 + s});
  // Of (j1 j2 j3; m1 m2 m3): k, j1+j2-j3-k, j1-m1-k, j2+m2-k, j3-j2+m1+k, j3-j1-m2+k.
  for (Index k = std::max<Index>({0, l2 - l3, j - l3 + s}); k <= end; ++k) {
    const long double term = std::exp(0.5L * (triangle + magnetic) - log_factorial(k) - log_factorial(j + l2 - l3 - k) -
                                      log_factorial(j - k) - log_factorial(l2 + s - k) - log_factorial(l3 - l2 + k) -
                                      log_factorial(l3 - j - s + k));
    sum += k % 2 == 0 ? term : -term;
  }
  EXPECT_GE(begin, 0);
  return static_cast<double>((j - l2 + s) % 2 == 0 ? sum : -sum);
}

TEST(Wigner3j, AgreesWithRacahsSumForSmallDegrees) {
  std::vector<double> values;
  double largest = 0;
  for (Index s : {0, 1, 2, 3, 5})
    for (Index l2 = s; l2 <= 14; ++l2)
      for (Index l3 = s; l3 <= 14; ++l3) {
        wigner_3j(l2, l3, s, values);
        const Index first = std::abs(l2 - l3);
        ASSERT_EQ(values.size(), static_cast<std::size_t>(l2 + l3 - first + 1));
        for (std::size_t i = 0; i < values.size(); ++i) {
          const double exact = by_racah(first + static_cast<Index>(i), l2, l3, s);
          largest = std::max(largest, std::abs(exact));
          ASSERT_NEAR(values[i], exact, 2e-14)
              << "j " << first + static_cast<Index>(i) << ", l " << l2 << " " << l3 << ", s " << s;
        }
      }
  EXPECT_GT(largest, 0.5);
}

TEST(Wigner3j, IsWhatClosedFormsSay) {
  std::vector<double> values;
  wigner_3j(2, 2, 2, values);
  EXPECT_NEAR(values[0], 1 / std::sqrt(5.0), 1e-15);
  EXPECT_NEAR(values[1], std::sqrt(2.0 / 15.0), 1e-15);
  EXPECT_NEAR(values[2], std::sqrt(2.0 / 35.0), 1e-15);
  // (l l 0; s -s 0) = (-1)^(l - s) / sqrt(2 l + 1) and (1 l l; 0 s -s) = (-1)^(l - s) s / sqrt(l (l + 1) (2 l + 1)).
  for (Index l : {3, 100, 2000}) {
    wigner_3j(l, l, 2, values);
    const double sign = l % 2 == 0 ? 1.0 : -1.0;
    const auto x = static_cast<double>(l);
    const double tolerance = 4e-15 * (1 + x);  // rounding adds up over 2 l steps
    EXPECT_NEAR(values[0] * sign * std::sqrt(2 * x + 1), 1, tolerance);
    EXPECT_NEAR(values[1] * sign * std::sqrt(x * (x + 1) * (2 * x + 1)) / 2, 1, tolerance);
  }
}

/// sum over j of (2 j + 1) (j l2 l3; 0 s -s) (j l2 l3; 0 t -t) is 1 for s = t, else 0. The norm is taken for
/// normalising, so that s != t is what tests; rounding adds up over l2 + l3 steps.
TEST(Wigner3j, IsOrthogonalForLargeDegrees) {
  const std::array<std::array<Index, 2>, 6> degrees{
      {{3, 1000}, {500, 500}, {501, 499}, {1500, 700}, {2000, 1999}, {3000, 2}}};
  std::array<std::vector<double>, 3> of{};
  for (const auto& [l2, l3] : degrees) {
    for (Index s = 0; s < 3; ++s) wigner_3j(l2, l3, s, of[static_cast<std::size_t>(s)]);
    for (std::size_t s = 0; s < 3; ++s)
      for (std::size_t t = 0; t <= s; ++t) {
        double sum = 0;
        for (std::size_t i = 0; i < of[s].size(); ++i)
          sum += static_cast<double>(2 * (std::abs(l2 - l3) + static_cast<Index>(i)) + 1) * of[s][i] * of[t][i];
        EXPECT_NEAR(sum, s == t ? 1 : 0, 1e-12) << l2 << " " << l3 << ": " << s << " " << t;
      }
  }
}

}  // namespace
}  // namespace armilla::math
