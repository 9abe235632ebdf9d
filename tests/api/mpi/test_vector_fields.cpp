#include <armilla/armilla.hpp>

#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "support/mpi_main.hpp"
#include "support/refusal.hpp"
#include <gtest/gtest.h>

namespace armilla {
namespace {

using test::expect_refusal;

using core::at;
using core::kPi;

constexpr double kRadius = 6.371e6;  // m
constexpr double kRate = 1e-5;       // 1 / s

/// Two levels of winds: a solid rotation about the axis, and div v = kRate sin(theta) cos(phi).
struct Winds {
  static Alm<double> derivatives(const Transform<double>& t) {
    Alm<double> alm = t.make_vorticity_divergence();
    for (const Index m : alm.local_m()) {
      // r . curl v = 2 kRate cos(theta), cos(theta) = sqrt(4 pi / 3) Y_10
      if (m == 0) alm.of_m(0, 0, 0)[1] = 2 * kRate * std::sqrt(4 * kPi / 3);
      // sin(theta) cos(phi) = -sqrt(2 pi / 3) (Y_11 - Y_1-1)
      if (m == 1) alm.of_m(1, 1, 1)[0] = -kRate * std::sqrt(2 * kPi / 3);
    }
    return alm;
  }
  /// Eastward and northward component.
  static double value(Index level, Index component, double theta, double phi) {
    if (level == 0) return component == 0 ? kRate * kRadius * std::sin(theta) : 0;
    return kRate * kRadius / 2 * (component == 0 ? std::sin(phi) : std::cos(theta) * std::cos(phi));
  }
};

void for_vectors(const Map<double>& map, const std::function<void(double, Index, Index, double, double)>& use) {
  for (Index k = 0; k < map.maps(); ++k)
    for (Index c = 0; c < map.fields().components(); ++c)
      for (const LocalRing& ring : map.rings())
        for (Index j = 0; j < ring.ring.nphi; ++j)
          use(map.of_ring(ring, c, k)[at(j)], k, c, ring.ring.theta, ring.phi(j));
}

Transform<double> wind_transform(FieldKind fields = FieldKind::wind()) {
  return {Communicator::world(), {.grid = make_gauss(12, 24), .lmax = 10, .fields = std::move(fields), .maps = 2}};
}

TEST(VectorFields, WindsOfVorticityAndDivergence) {
  Transform<double> t = wind_transform();
  const Alm<double> derivatives = Winds::derivatives(t);
  EXPECT_EQ(derivatives.fields().alm_names(), (std::vector<std::string>{"VORTICITY", "DIVERGENCE"}));
  Map<double> map = t.make_map();
  using Factor = VectorOptions::Factor;
  for (const Factor factor : {Factor::kNone, Factor::kCosLatitude, Factor::kInverseCosLatitude}) {
    t.vector_fields(derivatives, map, {.radius = kRadius, .factor = factor});
    for_vectors(map, [&](double value, Index k, Index c, double theta, double phi) {
      const double scale =
          factor == Factor::kNone ? 1 : std::pow(std::sin(theta), factor == Factor::kCosLatitude ? 1 : -1);
      EXPECT_NEAR(value, scale * Winds::value(k, c, theta, phi), 1e-12 * kRate * kRadius);
    });
    Alm<double> back = t.make_vorticity_divergence();
    t.vorticity_divergence(map, back, {.radius = kRadius, .factor = factor});
    for (const double error : relative_error(back, derivatives, 0)) EXPECT_LT(error, 1e-13);
    for (const double error : relative_error(back, derivatives, 1)) EXPECT_LT(error, 1e-13);
  }
  // Southward and eastward.
  Map<double> turned = t.make_map();
  t.vector_fields(derivatives, turned, {.radius = kRadius, .axes = VectorOptions::Axes::kSouthEast});
  for_vectors(turned, [](double value, Index k, Index c, double theta, double phi) {
    EXPECT_NEAR(value, c == 1 ? Winds::value(k, 0, theta, phi) : -Winds::value(k, 1, theta, phi),
                1e-12 * kRate * kRadius);
  });
}

TEST(VectorFields, GradientsAndTheirAdjoint) {
  // Two pairs, so that a component of the wrong pair would be noticed.
  const FieldKind pairs[] = {FieldKind::pair(1, "A", "B"), FieldKind::pair(1, "C", "D")};
  Transform<double> t = wind_transform(FieldKind::joined(pairs));
  Alm<double> potential = t.make_potential();
  // sin(theta) cos(phi) of the second pair.
  for (const Index m : potential.local_m())
    if (m == 1) potential.of_m(1, 1, 1)[0] = -std::sqrt(2 * kPi / 3);
  Map<double> map = t.make_map();
  t.gradient(potential, map, {.radius = 2});
  for_vectors(map, [](double value, Index k, Index c, double theta, double phi) {
    const double east = -std::sin(phi) / 2, north = -std::cos(theta) * std::cos(phi) / 2;
    EXPECT_NEAR(value, k == 0 || c < 2 ? 0 : c == 2 ? east : north, 1e-14);
  });
  // <G a, x> = <a, G^T x>
  Alm<double> a = potential.copy(), transposed = t.make_potential();
  for (const Index m : a.local_m())
    for (Index k = 0; k < 2; ++k)
      for (Index c = 0; c < 2; ++c)
        for (Index l = m; l <= 10; ++l)
          a.of_m(m, c, k)[at(l - m)] = {std::cos(double(l + 3 * m + c)), m == 0 ? 0 : std::sin(double(2 * l - m + k))};
  Map<double> x = t.make_map(), image = t.make_map();
  double next = 0;
  for (double& value : x.data()) value = std::sin(next += 0.7);
  const VectorOptions options{.radius = 3, .factor = VectorOptions::Factor::kCosLatitude};
  t.gradient(a, image, options);
  t.adjoint_gradient(x, transposed, options);
  const std::vector<double> left = inner_products(image, x), right = inner_products(a, transposed);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(left[k], right[k], 1e-12 * std::abs(left[k]));
}

TEST(VectorFields, RefusedUses) {
  Transform<double> t = wind_transform();
  Alm<double> alm = t.make_vorticity_divergence();
  Map<double> map = t.make_map();
  expect_refusal([&] { t.vector_fields(alm, map, {.radius = 0}); }, "radius = 0: use a positive number");
  expect_refusal([&] { t.gradient(alm, map); }, "the alm must have 1 scalars for each of 1 vectors");
  Alm<double> eb = t.make_alm();
  expect_refusal([&] { t.vector_fields(eb, map); }, "make_vorticity_divergence()");
  Transform<double> scalar(Communicator::world(), {.grid = make_gauss(12, 24), .lmax = 10, .maps = 2});
  Map<double> scalars = scalar.make_map();
  expect_refusal([&] { scalar.vector_fields(alm, scalars); }, "no tangent vectors");
  Transform<double> poles(Communicator::world(),
                          {.grid = make_equiangular("cc", 13, 24), .lmax = 5, .fields = FieldKind::wind()});
  Alm<double> at_poles = poles.make_vorticity_divergence();
  Map<double> with_poles = poles.make_map();
  expect_refusal([&] { poles.vector_fields(at_poles, with_poles, {.factor = VectorOptions::Factor::kCosLatitude}); },
                 "has a ring at a pole");
}

}  // namespace
}  // namespace armilla
