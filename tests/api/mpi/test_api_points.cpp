// Transforms at points by the public interface.
#include <armilla/armilla.hpp>
#include <armilla/core/types.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/refusal.hpp"
#include <gtest/gtest.h>

namespace armilla {
namespace {

using test::refusal;

SpectraTable flat(Index lmax, const FieldKind& fields) {
  SpectraTable table{lmax, {}, {}, ""};
  for (const std::string& name : fields.alm_names()) {
    table.names.push_back(alm::spectrum_name(name, name));
    table.columns.emplace_back(core::at(lmax + 1), 1.0);
  }
  return table;
}

/// The own pixels of a map as points.
struct Pixels {
  std::vector<double> theta, phi;

  template <class T>
  explicit Pixels(const Map<T>& map) {
    for (const PixelRange& range : map.distribution().pixel_ranges(map.rank()))
      for (Index pixel = range.first; pixel < range.first + range.count; ++pixel) {
        const auto rings = map.grid().rings();
        std::size_t r = 0;
        while (r + 1 < rings.size() && rings[r + 1].first_pixel <= pixel) ++r;
        theta.push_back(rings[r].theta);
        phi.push_back(rings[r].phi0 + 2 * core::kPi * static_cast<double>(pixel - rings[r].first_pixel) /
                                          static_cast<double>(rings[r].nphi));
      }
  }
};

template <class T>
void check_against_rings(double tolerance) {
  const auto world = Communicator::world();
  const FieldKind fields = FieldKind::temperature_polarisation();
  Transform<T> rings(world, {.grid = make_healpix(16), .lmax = 30, .fields = fields, .maps = 2, .backend = "cpu"});
  Alm<T> alm = rings.make_alm();
  random_alm(alm, flat(30, fields), 3);
  Map<T> map = rings.make_map();
  rings.synthesis(alm, map);
  const Pixels pixels(map);
  PointTransform<T> at_points(world, {.lmax = 30, .fields = fields, .maps = 2}, pixels.theta, pixels.phi);
  ASSERT_EQ(at_points.points(), static_cast<Index>(pixels.theta.size()));
  std::vector<T> values(core::at(at_points.values_size()), T(-7));
  at_points.synthesis(alm, values);
  ASSERT_EQ(values.size(), map.data().size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], map.data()[i], tolerance);

  Alm<T> by_rings = rings.make_alm(), by_points = at_points.make_alm();
  rings.adjoint_synthesis(map, by_rings);
  at_points.adjoint_synthesis(values, by_points);
  for (const double error : relative_error(by_points, by_rings)) EXPECT_LE(error, tolerance);

  const auto results = at_points.analysis(values, by_points);
  ASSERT_EQ(results.size(), 2U);
  for (const PointAnalysisResult& result : results) {
    EXPECT_TRUE(result.converged);
    EXPECT_GE(result.condition, 1);
    EXPECT_LE(result.residual, 100 * tolerance);
  }
  for (const double error : relative_error(by_points, alm)) EXPECT_LE(error, 100 * tolerance);
}

TEST(PointTransform, AgreesWithRingTransforms) {
  check_against_rings<double>(1e-8);
  check_against_rings<float>(2e-4);
}

TEST(PointTransform, SaysWhatIsWrong) {
  const auto world = Communicator::world();
  const std::vector<double> theta{1.0, 2.0}, phi{0.0, 5.0}, none;
  const auto make = [&](PointTransformSpec spec) { PointTransform(world, std::move(spec), theta, phi); };
  const auto refuses = [](const auto& call, const std::string& part) {
    const std::string message = refusal(call);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  refuses([&] { make({.lmax = 1, .fields = FieldKind::polarisation()}); }, "lmax = 1 is below the spin 2");
  refuses([&] { make({.lmax = 8, .mmax = 9}); }, "mmax");
  refuses([&] { make({.lmax = 8, .maps = 0}); }, "maps = 0: use 1 or more");
  refuses([&] { make({.lmax = 8, .accuracy = 1e-16}); }, "1e-16");
  refuses([&] { PointTransform(world, {.lmax = 8}, theta, none); }, "2 values of theta but 0 of phi");
  const std::vector<double> outside{1.0, 3.2};
  refuses([&] { PointTransform(world, {.lmax = 8}, outside, phi); }, "point 1: theta = 3.2 is outside [0, pi]");

  PointTransform t(world, {.lmax = 8}, theta, phi);
  Alm<double> alm = t.make_alm();
  std::vector<double> values(3);
  refuses([&] { t.synthesis(alm, values); }, "3 values for 1 maps of 1 components at 2 points: pass 2");
  values.assign(2, 1.0);
  Alm<double> other = PointTransform(world, {.lmax = 9}, theta, phi).make_alm();
  refuses([&] { t.adjoint_synthesis(values, other); }, "lmax = 9");
  refuses([&] { t.analysis(values, alm, {}, {.tolerance = 2}); }, "tolerance = 2");
  refuses([&] { t.analysis(values, alm, {}, {.max_iterations = 0}); }, "max_iterations = 0");
  refuses([&] { t.analysis(values, alm, std::vector<double>{1, -1}); }, "the weight of point 1 is -1");
  refuses([&] { t.analysis(values, alm, {}, {.regularise = -1}); }, "regularise = -1");
  refuses([&] { t.analysis(values, alm); }, "do not determine the 81 unknowns");
  EXPECT_TRUE(t.analysis(values, alm, {}, {.regularise = 0.1}).front().converged);
  values[0] = std::numeric_limits<double>::infinity();
  refuses([&] { t.analysis(values, alm, {}, {.regularise = 0.1}); }, "not finite");
}

/// All points on one rank, none on the others.
TEST(PointTransform, TakesRanksWithoutPoints) {
  const auto world = Communicator::world();
  std::vector<double> theta, phi;
  if (world.rank() == world.size() - 1) theta = {0, 1, core::kPi}, phi = {0, -1, 1e6};
  PointTransform t(world, {.lmax = 8}, theta, phi);
  EXPECT_EQ(t.points(), static_cast<Index>(theta.size()));
  Alm<double> alm = t.make_alm();
  random_alm(alm, flat(8, t.fields()), 1);
  std::vector<double> values(theta.size());
  t.synthesis(alm, values);
  // By Legendre polynomials for m = 0; at the point between the poles the other m by the values of a ring.
  std::vector<double> poles(2, 0.0);
  for (const Index m : alm.local_m())
    if (m == 0)
      for (Index l = 0; l <= 8; ++l) {
        const double value =
            std::sqrt(static_cast<double>(2 * l + 1) / (4 * core::kPi)) * alm.of_m(0)[core::at(l)].real();
        poles[0] += value;
        poles[1] += l % 2 == 0 ? value : -value;
      }
  world.sum(std::span<double>(poles));
  Transform ring(world, {.grid = make_rings(std::vector<double>{1}, std::vector<double>{-1}, std::vector<Index>{20}, {},
                                            "one ring"),
                         .lmax = 8,
                         .backend = "cpu"});
  Map<double> map = ring.make_map();
  ring.synthesis(alm, map);
  std::vector<double> between{map.data().empty() ? 0.0 : map.data()[0]};
  world.sum(std::span<double>(between));
  if (values.empty()) return;
  EXPECT_NEAR(values[0], poles[0], 1e-9);
  EXPECT_NEAR(values[1], between[0], 1e-9);
  EXPECT_NEAR(values[2], poles[1], 1e-9);
}

/// A fit needs a point.
TEST(PointTransform, FitsNothingToNothing) {
  const auto world = Communicator::world();
  PointTransform t(world, {.lmax = 4}, std::vector<double>(), std::vector<double>());
  Alm<double> alm = t.make_alm();
  EXPECT_NE(refusal([&] { t.analysis({}, alm); }).find("there are no points to fit"), std::string::npos);
}

}  // namespace
}  // namespace armilla
