#include <armilla/core/set_up_count.hpp>
#include <armilla/math/equidistant_weights.hpp>
#include <armilla/math/gauss_legendre.hpp>
#include <armilla/math/sine_cosine.hpp>

#include <algorithm>
#include <cmath>
#include <string>
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

// From 256 nodes on, nodes come from asymptotic series: the 16 nodes next to a pole from one with Bessel functions.
TEST(QuadratureNodes, GaussNodesOfLargeGridsAreRoots) {
  for (const Index n : {255, 256, 257, 300, 511, 1000, 8193, 20000, 131071})
    for (const Index i :
         {Index{0}, Index{1}, Index{14}, Index{15}, Index{16}, Index{17}, Index{40}, n / 4, n / 2 - 1}) {
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

struct ReferenceNode {
  Index n, number;  // counted from 1
  double theta, cos_theta, weight;
};

// Roots of the polynomials to 25 digits, from Newton's method in multiple precision.
constexpr ReferenceNode kReferenceNodes[] = {
    {100, 1, 0.02392851379957687254895459, 0.9997137267734412336782285, 0.0007346344905056717304063207},
    {100, 2, 0.0549259237224973741941485, 0.9984919506395958184001634, 0.001709392653518105239529358},
    {100, 50, 1.555166706034023842787706, 0.0156289844215430828722167, 0.03125542345386335694764247},
    {300, 1, 0.008002743587521361587772463, 0.9999679782184367346243697, 0.00008217779368701052869934221},
    {300, 2, 0.01836963581743828609259526, 0.9998312829844193625365062, 0.0001912855446573218694896849},
    {300, 37, 0.3842081825243073528614199, 0.9270955163900740452078949, 0.00391859028432668124277658},
    {300, 150, 1.565569058400939392364766, 0.00522724458871774792949378, 0.01045439395634405344892825},
    {1000, 1, 0.002403623645771928892942614, 0.9999971112980755105698763, 0.000007413338416432071517476832},
    {1000, 2, 0.00551731922090201456608985, 0.9999847796329174183242981, 0.00001725676977373923011776458},
    {1000, 3, 0.008649402851271955526819255, 0.9999625941483601532694611, 0.00002711460656520585698640452},
    {1000, 10, 0.03061929554541335848914146, 0.9995312659933240084975233, 0.00009611747354547056604160744},
    {1000, 250, 0.7842207800759539395842719, 0.7079388266180989626648272, 0.002217715028859311318753526},
    {1000, 499, 1.56608629341966350876056, 0.004710015960363725038261714, 0.003139987420436592840958963},
    {1000, 500, 1.569226315669817627028527, 0.001570010480083193829005023, 0.003140018380182867786995939},
    {10000, 1, 0.0002404705321427790921685409, 0.9999999710869617248116219, 7.420019273239322796579832e-8},
    {10000, 5, 0.001493017119370750602326555, 0.9999988854501476698900123, 0.0000004687604978176859641548575},
    {10000, 77, 0.02411056991918488516756, 0.9997093542893322176218362, 0.000007573430122882146021980512},
    {10000, 2500, 0.7852803608132999158009805, 0.7071900752860284079307524, 0.0002221068703131367248067241},
    {10000, 4999, 1.570325111458213974139455, 0.0004712153192442306111912269, 0.0003141435229116012999111899},
    {10000, 5000, 1.570639255016002404187783, 0.0001570717782483478341764131, 0.0003141435539132268276345584},
    {25000, 1, 0.00009619109847944871012189196, 0.9999999953736362902257069, 1.187274325989787428906223e-8},
    {25000, 2, 0.0002207987084225643551501035, 0.9999999756239652784955497, 2.763748615779465345095321e-8},
    {25000, 100, 0.01253471994786651642172074, 0.999921441426510738174062, 0.000001575084609800537899099967},
    {25000, 6250, 0.7853510406501142587416084, 0.7071401012156390864750334, 0.00008885169437807881994176932},
    {25000, 12499, 1.570607835005554716079406, 0.0001884917882257441649563506, 0.0001256611906622841294066661},
    {25000, 12500, 1.570733496198449318180551, 0.00006283059640596182896639029, 0.0001256611926465667706811998},
    {100001, 1, 0.00002404789485843465310747813, 0.9999999997108493764527708, 7.420538752809681079215991e-10},
    {100001, 3, 0.00008653598108903322549153189, 0.999999996255761990815795, 2.714125435706449190222325e-9},
    {100001, 1000, 0.0314076018380923432524065, 0.9995068218161755246168126, 0.0000009865218902213661138065453},
    {100001, 25000, 0.7853785287503833827517335, 0.707120664842330767890431, 0.00002221364530908261725962592},
    {100001, 50000, 1.570764911339592943541374, 0.00003141545529850820970868135, 0.00003141545528817324922992831},
};

TEST(QuadratureNodes, GaussNodesAreRoundedReferenceValues) {
  // The error of a unit in the last place consists of the rounding of the result and of that of the reference.
  const auto is_near = [](double value, double reference) {
    return std::abs(value - reference) <= std::nextafter(reference, 3 * reference) - reference;
  };
  for (const ReferenceNode& reference : kReferenceNodes) {
    const GaussNode node = gauss_legendre_node(reference.n, reference.number - 1);
    const auto where = [&] { return std::to_string(reference.n) + ", node " + std::to_string(reference.number); };
    EXPECT_TRUE(is_near(node.theta, reference.theta)) << where();
    EXPECT_TRUE(is_near(node.cos_theta, reference.cos_theta)) << where();
    EXPECT_TRUE(is_near(node.weight, reference.weight)) << where();
  }
}

TEST(QuadratureNodes, GaussNodeOnTheEquatorIsExact) {
  for (const Index n : {1, 101, 257, 100001}) {
    const GaussNode node = gauss_legendre_node(n, n / 2);
    EXPECT_EQ(node.theta, core::kPi / 2) << n;
    EXPECT_EQ(node.cos_theta, 0) << n;
    EXPECT_EQ(node.sin_theta, 1) << n;
  }
}

TEST(QuadratureNodes, GaussNodesOfLargeGridsNeedNoRecurrence) {
  const auto steps_of = [](Index n) {
    const Index before = core::set_up_count(core::SetUpWork::kRecurrenceSteps);
    for (Index i = 0; i < (n + 1) / 2; ++i) gauss_legendre_node(n, i);
    return core::set_up_count(core::SetUpWork::kRecurrenceSteps) - before;
  };
  EXPECT_LT(steps_of(255), 8 * 128 * 255);
  for (const Index n : {256, 4096, 100001}) EXPECT_EQ(steps_of(n), 0) << n;
}

TEST(QuadratureNodes, SinesAndCosinesAreRounded) {
  for (int i = 0; i <= 1000; ++i) {
    const long double angle = static_cast<long double>(i) / 1000 * 1.5707963267948966L;
    const SineCosine found = sine_cosine(angle);
    EXPECT_NEAR(static_cast<double>(found.sine - std::sin(angle)), 0, 2e-19) << i;
    EXPECT_NEAR(static_cast<double>(found.cosine - std::cos(angle)), 0, 2e-19) << i;
  }
  EXPECT_EQ(sine_cosine(0).sine, 0);
  EXPECT_EQ(sine_cosine(0).cosine, 1);
}

TEST(QuadratureNodes, GaussWeightsOfLargeGridsSumToTwo) {
  for (const Index n : {256, 8193, 40001}) {
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
