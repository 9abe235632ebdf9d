#include <armilla/math/equidistant_weights.hpp>
#include <armilla/math/gauss_legendre.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::math {
namespace {

using core::Index;

/// P_n(cos theta) and its derivative, by Bonnet's recurrence for differences.
std::pair<long double, long double> polynomial(Index n, long double theta) {
  const long double half = std::sin(theta / 2), one_minus_x = 2 * half * half;
  long double value = 1, difference = 0, previous = 1;
  for (Index l = 0; l < n; ++l) {
    const auto k = static_cast<long double>(l);
    difference = (k * difference - (2 * k + 1) * one_minus_x * value) / (k + 1);
    previous = value;
    value += difference;
  }
  return {value, static_cast<long double>(n) * (std::cos(theta) * value - previous) / std::sin(theta)};
}

// Above 8192 nodes, all but 24 nodes next to a pole come from an asymptotic series.
TEST(QuadratureNodes, GaussNodesOfLargeGridsAreRoots) {
  for (const Index n : {8193, 20000, 131071})
    for (const Index i : {Index{0}, Index{23}, Index{24}, Index{25}, Index{40}, Index{1000}, n / 4, n / 2 - 1}) {
      const GaussNode node = gauss_legendre_node(n, i);
      const auto [value, derivative] = polynomial(n, node.theta);
      // Half a unit in the last place of theta, and the error of the recurrence.
      EXPECT_LT(std::abs(static_cast<double>(value / derivative)), 2e-16 * node.theta) << n << ", node " << i;
      const double weight = static_cast<double>(2 / (derivative * derivative));
      EXPECT_NEAR(node.weight / weight, 1, 1e-14) << n << ", node " << i;
      EXPECT_NEAR(node.cos_theta, std::cos(node.theta), 4e-16);
      EXPECT_NEAR(node.sin_theta, std::sin(node.theta), 4e-16);
    }
}

TEST(QuadratureNodes, GaussWeightsOfLargeGridsSumToTwo) {
  for (const Index n : {8193, 40001}) {
    double sum = 0, before = 0;
    for (Index i = 0; i < (n + 1) / 2; ++i) {
      const GaussNode node = gauss_legendre_node(n, i);
      EXPECT_GT(node.theta, before);
      before = node.theta;
      sum += (2 * i + 1 == n ? 1 : 2) * node.weight;
    }
    EXPECT_NEAR(sum, 2, 1e-12) << n;
  }
}

struct Circle {
  const char* rule;
  int shift;
  Index points, count;
  Index functions;  // that are integrated exactly
};

std::vector<Circle> circles(Index n) {
  return {{"cc", 0, 2 * n - 2, n, n}, {"f1", 1, 2 * n, n, n},         {"f2", 2, 2 * n + 2, n, n},
          {"mw", 1, 2 * n - 1, n, n}, {"mwflip", 0, 2 * n - 1, n, n}, {"dh", 0, 2 * n, n, n - 1}};
}

// From 8192 rings on, sums for rings away from the poles come from asymptotic series.
TEST(QuadratureNodes, WeightsOfLargeEquidistantGridsAreExact) {
  for (const Index n : {8193, 8194, 8195, 8196})
    for (const Circle& circle : circles(n)) {
      const std::vector<double> weights = equidistant_weights(circle.points, circle.shift, circle.count);
      for (const Index k : {Index{0}, Index{1}, Index{2}, Index{3}, Index{1000}, Index{4097}, circle.functions - 1}) {
        long double sum = 0;
        for (Index i = 0; i < n; ++i) {
          const Index angle = k * (2 * i + circle.shift) % (2 * circle.points);
          sum += static_cast<long double>(weights[core::at(i)]) *
                 std::cos(static_cast<long double>(core::kPi) * static_cast<long double>(angle) /
                          static_cast<long double>(circle.points));
        }
        const double integral = k % 2 == 0 ? 2 / (1 - static_cast<double>(k) * static_cast<double>(k)) : 0;
        // Rounding of n weights of about pi / n.
        EXPECT_NEAR(static_cast<double>(sum), integral, 1e-13) << circle.rule << " " << n << ", k = " << k;
      }
      EXPECT_TRUE(std::ranges::all_of(weights, [](double weight) { return weight >= 0; })) << circle.rule;
    }
}

}  // namespace
}  // namespace armilla::math
