#include <armilla/core/error.hpp>
#include <armilla/grid/healpix.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>

#include <cmath>
#include <set>
#include <string>
#include <tuple>

#include "support/reference_data.hpp"
#include "support/refusal.hpp"
#include <gtest/gtest.h>

namespace armilla::grid {
namespace {

// Loops over the table of grids, so that a new kind is covered by being there.
class EveryGrid : public testing::TestWithParam<GridDescription> {};
class EveryWholeGrid : public EveryGrid {};
class EveryPart : public EveryGrid {};

std::vector<GridDescription> all_examples() {
  std::vector<GridDescription> examples;
  for (const GridKind& kind : grid_kinds()) examples.insert(examples.end(), kind.examples.begin(), kind.examples.end());
  return examples;
}

enum class Extent { kWhole, kPart };

std::vector<GridDescription> examples_of(Extent extent) {
  std::vector<GridDescription> examples = all_examples();
  std::erase_if(examples, [&](const GridDescription& d) { return d.is_whole() != (extent == Extent::kWhole); });
  return examples;
}

// claims: grid *
TEST_P(EveryWholeGrid, WeightsSumToTheSphere) {
  const RingGrid grid = make_grid(GetParam());
  ASSERT_TRUE(grid.has_weights());
  double sum = 0;
  for (const Ring& ring : grid.rings()) sum += ring.weight;
  EXPECT_NEAR(sum, 4 * core::kPi, 1e-14 * 4 * core::kPi * static_cast<double>(grid.rings().size() + 10));
}

TEST_P(EveryGrid, RingsFollowEachOtherWithoutGaps) {
  const RingGrid grid = make_grid(GetParam());
  Index pixel = 0;
  double theta = -1;
  for (const Ring& ring : grid.rings()) {
    EXPECT_EQ(ring.first_pixel, pixel);
    EXPECT_GT(ring.theta, theta);
    EXPECT_GE(ring.phi0, 0);
    EXPECT_LT(ring.phi0, 2 * core::kPi);
    // cos and sin to rounding of the colatitude itself.
    EXPECT_NEAR(ring.cos_theta, std::cos(ring.theta), 4e-16);
    EXPECT_NEAR(ring.sin_theta, std::sin(ring.theta), 4e-16);
    pixel += ring.nphi;
    theta = ring.theta;
  }
  EXPECT_EQ(grid.npix(), pixel);
}

TEST_P(EveryGrid, PixelsLieOnTheSphereAndPolesOnlyWhereTheRuleHasThem) {
  const RingGrid grid = make_grid(GetParam());
  const std::string& rule = GetParam().rule;
  const bool north = rule == "cc" || rule == "mwflip" || rule == "dh";
  const bool south = rule == "cc" || rule == "mw";
  for (const Ring& ring : grid.rings()) {
    EXPECT_GE(ring.theta, 0);
    EXPECT_LE(ring.theta, core::kPi);
    if (!north) {
      EXPECT_GT(ring.theta, 0);
    }
    if (!south) {
      EXPECT_LT(ring.theta, core::kPi);
    }
    const double last = ring.phi0 + 2 * core::kPi * static_cast<double>(ring.nphi - 1) / static_cast<double>(ring.nphi);
    EXPECT_LT(last - ring.phi0, 2 * core::kPi);
    EXPECT_GE(ring.nphi, 1);
  }
}

TEST_P(EveryGrid, HasThePixelsThatItsParametersSay) {
  const GridDescription& d = GetParam();
  const RingGrid grid = make_grid(d);
  EXPECT_EQ(static_cast<Index>(ring_numbers(grid).size()), static_cast<Index>(grid.rings().size()));
  if (!d.is_whole()) return;
  Index pixels = grid.npix();
  if (d.kind == "healpix") pixels = 12 * d.nside * d.nside;
  if (d.kind == "gauss" || d.kind == "equiangular") pixels = d.nlat * d.nphi;
  if (d.kind == "octahedral") pixels = 2 * d.nlat * (d.nlat / 2 + 1) + 16 * d.nlat;
  EXPECT_EQ(grid.npix(), pixels);
}

TEST_P(EveryPart, HasTheRingsOfItsWhole) {
  GridDescription d = GetParam();
  const RingGrid part = make_grid(d);
  EXPECT_FALSE(part.has_weights());
  EXPECT_EQ(part.description().part, d.part);
  d.part.clear();
  const RingGrid whole = make_grid(d);
  const std::vector<Index> numbers = ring_numbers(part);
  EXPECT_EQ(ranges_of(numbers), GetParam().part);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Ring& a = part.rings()[i];
    const Ring& b = whole.rings()[static_cast<std::size_t>(numbers[i])];
    EXPECT_EQ(std::tie(a.theta, a.cos_theta, a.sin_theta, a.phi0, a.nphi),
              std::tie(b.theta, b.cos_theta, b.sin_theta, b.phi0, b.nphi));
  }
}

TEST_P(EveryGrid, EveryRingIsInOnePairAndPairsAscend) {
  const RingGrid grid = make_grid(GetParam());
  std::multiset<Index> seen;
  double sine = -1;
  for (const RingPair& pair : grid.pairs()) {
    EXPECT_GE(pair.cos_theta, 0);
    EXPECT_GE(pair.sin_theta, sine);
    sine = pair.sin_theta;
    for (const Index ring : {pair.north, pair.south})
      if (ring >= 0) seen.insert(ring);
    if (pair.north >= 0 && pair.south >= 0) {
      EXPECT_EQ(grid.rings()[static_cast<std::size_t>(pair.north)].cos_theta,
                -grid.rings()[static_cast<std::size_t>(pair.south)].cos_theta);
    }
  }
  EXPECT_EQ(seen.size(), grid.rings().size());
  EXPECT_EQ(std::set<Index>(seen.begin(), seen.end()).size(), grid.rings().size());
  const std::string& rule = GetParam().rule;
  if (rule == "mw" || rule == "mwflip" || rule == "dh" || !GetParam().is_whole()) return;  // one pole only, some rings
  EXPECT_EQ(grid.pairs().size(), (grid.rings().size() + 1) / 2) << "these grids are their own mirror image";
  for (const RingPair& pair : grid.pairs()) {
    if (pair.south < 0) continue;
    const Ring& north = grid.rings()[static_cast<std::size_t>(pair.north)];
    const Ring& south = grid.rings()[static_cast<std::size_t>(pair.south)];
    EXPECT_EQ(pair.north + pair.south, static_cast<Index>(grid.rings().size()) - 1);
    EXPECT_EQ(std::tie(north.nphi, north.phi0, north.sin_theta), std::tie(south.nphi, south.phi0, south.sin_theta));
    EXPECT_NEAR(north.weight, south.weight, 1e-15 * north.weight);
  }
}

std::string name_of(const testing::TestParamInfo<GridDescription>& parameter) {
  std::string name = parameter.param.text();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryGrid, testing::ValuesIn(all_examples()), name_of);
INSTANTIATE_TEST_SUITE_P(Kinds, EveryWholeGrid, testing::ValuesIn(examples_of(Extent::kWhole)), name_of);
INSTANTIATE_TEST_SUITE_P(Kinds, EveryPart, testing::ValuesIn(examples_of(Extent::kPart)), name_of);

TEST(Healpix, RingsAreThoseOfTheReference) {
  const std::string file = test::reference_file("rings.h5");
  const std::string group = "rings/healpix_nside16_spin0";
  const auto theta = test::read_doubles(file, group + "/theta");
  const auto phi0 = test::read_doubles(file, group + "/phi0");
  const auto nphi = test::read_integers(file, group + "/nphi");
  const RingGrid grid = make_healpix(16);
  ASSERT_EQ(grid.rings().size(), theta.size());
  for (std::size_t i = 0; i < theta.size(); ++i) {
    EXPECT_NEAR(grid.rings()[i].theta, theta[i], 1e-15);
    EXPECT_NEAR(grid.rings()[i].phi0, phi0[i], 1e-15);
    EXPECT_EQ(grid.rings()[i].nphi, nphi[i]);
  }
}

TEST(Gauss, WeightsAreThoseOfTheReference) {
  const std::string file = test::reference_file("weights.h5");
  for (const Index nlat : {6, 14, 64, 301}) {
    const auto weights = test::read_doubles(file, "weights/GL_" + std::to_string(nlat) + "/weights");
    const RingGrid grid = make_gauss(nlat, 4);
    ASSERT_EQ(grid.rings().size(), weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(grid.rings()[i].weight, weights[i], 1e-14);
  }
}

TEST(Gauss, RefusesMorePixelsThanCanBeCounted) {
  EXPECT_THROW(make_gauss(4096, Index{1} << 52), core::InputError);
  EXPECT_EQ(make_gauss(4, Index{1} << 52).npix(), Index{1} << 54);
}

TEST(Gauss, IntegratesEveryPolynomialThatItShould) {
  const Index nlat = 40;
  const RingGrid grid = make_gauss(nlat, 4);
  for (int degree = 0; degree < 2 * nlat; ++degree) {
    double sum = 0;
    for (const Ring& ring : grid.rings()) sum += ring.weight * std::pow(ring.cos_theta, degree);
    const double exact = degree % 2 == 0 ? 4 * core::kPi / (degree + 1) : 0.0;
    EXPECT_NEAR(sum, exact, 1e-13);
  }
}

TEST(RingGrid, PairsRingsWithoutPartners) {
  const std::vector<double> theta{0.5, 1.0, 1.3, core::kPi - 1.0, 3.0};
  const std::vector<double> phi0(5, 0.0);
  const std::vector<Index> nphi{1, 2, 3, 4, 5};
  const RingGrid grid = make_rings(theta, phi0, nphi, {}, "test");
  ASSERT_EQ(grid.pairs().size(), 4U);
  EXPECT_EQ(grid.pairs()[0].south, 4);  // theta = 3 is nearest to a pole
  EXPECT_EQ(grid.pairs()[0].north, -1);
  EXPECT_EQ(grid.pairs()[1].north, 0);
  EXPECT_EQ(grid.pairs()[2].north, 1);
  EXPECT_EQ(grid.pairs()[2].south, 3);
  EXPECT_EQ(grid.pairs()[3].north, 2);
}

TEST(RingGrid, RefusesBadRingsWithAReason) {
  const auto rings = [](std::vector<double> theta, std::vector<Index> nphi) {
    return test::refusal([&] { make_rings(theta, std::vector<double>(theta.size(), 0.0), nphi, {}, "my.h5"); });
  };
  EXPECT_NE(rings({}, {}).find("no rings"), std::string::npos);
  EXPECT_NE(rings({0.5, 0.4}, {4, 4}).find("sort the rings by theta"), std::string::npos);
  EXPECT_NE(rings({0.5, 0.5}, {4, 4}).find("grid/theta[1] = 0.5 equals that of row 0"), std::string::npos);
  EXPECT_NE(rings({0.5, 4.0}, {4, 4}).find("outside [0, pi]"), std::string::npos);
  EXPECT_NE(rings({0.5, 0.6}, {4, 0}).find("grid/nphi[1] = 0 must be at least 1"), std::string::npos);
  EXPECT_NE(rings({0.5, 0.6}, {4}).find("one row per ring"), std::string::npos);
  EXPECT_NE(rings({0.5, std::nan("")}, {4, 4}).find("my.h5"), std::string::npos);
}

TEST(Healpix, RefusesNsideOutOfRange) {
  for (const Index nside : {Index{-4}, Index{0}, (Index{1} << 29) + 1})
    EXPECT_THROW(make_healpix(nside), core::InputError);
  EXPECT_NE(test::refusal([] { make_healpix(0); }).find("nside = 0 is out of range"), std::string::npos);
}

TEST(Octahedral, HasTheRingsOfWeatherModels) {
  const RingGrid grid = make_octahedral(2560);  // O1280
  EXPECT_EQ(grid.npix(), 6599680);
  EXPECT_EQ(grid.rings().front().nphi, 20);
  EXPECT_EQ(grid.rings().back().nphi, 20);
  EXPECT_THROW(make_octahedral(7), core::InputError);
}

TEST(Grids, LongitudesAreTakenIntoOneTurn) {
  EXPECT_EQ(normalised_longitude(0.5), 0.5);
  EXPECT_NEAR(normalised_longitude(-0.5), 2 * core::kPi - 0.5, 1e-15);
  EXPECT_NEAR(make_gauss(4, 8, 7.0).rings().front().phi0, 7.0 - 2 * core::kPi, 1e-15);
  EXPECT_GE(normalised_longitude(-1e-20), 0);
  EXPECT_LT(normalised_longitude(-1e-20), 2 * core::kPi);
}

TEST(Healpix, RingsOfTheLargestGridsFollowFromTheirNumbers) {
  // By arithmetic alone: no list of rings, and no number that leaves 64 bit.
  for (const Index nside : {Index{1}, Index{3}, Index{16384}, Index{16385}, Index{123456789}, Index{1} << 29}) {
    SCOPED_TRACE(nside);
    const Index count = healpix_ring_count(nside);
    const Index all = 12 * nside * nside;
    EXPECT_EQ(healpix_first_pixel(nside, 0), 0);
    EXPECT_EQ(healpix_first_pixel(nside, count), all);
    for (const Index ring :
         {Index{0}, nside / 2, nside - 1, nside, 2 * nside - 1, 3 * nside - 2, 3 * nside - 1, count - 1}) {
      if (ring >= count) continue;
      const Ring here = healpix_ring(nside, ring);
      EXPECT_EQ(here.first_pixel + here.nphi, healpix_first_pixel(nside, ring + 1));
      // A mirror ring has the pixels counted from the other end.
      const Ring mirror = healpix_ring(nside, count - 1 - ring);
      EXPECT_EQ(here.first_pixel + mirror.first_pixel + here.nphi, all);
      EXPECT_EQ(here.cos_theta, -mirror.cos_theta);
      EXPECT_GT(here.theta, 0);
      EXPECT_LT(here.theta, core::kPi);
      if (ring + 1 < count) {
        EXPECT_LT(here.theta, healpix_ring(nside, ring + 1).theta);
      }
    }
  }
  const RingGrid grid = make_healpix(6);
  for (Index ring = 0; ring < healpix_ring_count(6); ++ring)
    EXPECT_EQ(grid.rings()[static_cast<std::size_t>(ring)].first_pixel, healpix_first_pixel(6, ring));
}

TEST(RingGrid, KnowsEqualPixels) {
  EXPECT_TRUE(make_healpix(4).same_pixels(make_healpix(4)));
  EXPECT_FALSE(make_healpix(4).same_pixels(make_healpix(8)));
}

TEST(JoinedPairs, AreSingleRingsOfOneLengthTwoByTwo) {
  const RingGrid mw = make_grid({.kind = "equiangular", .rule = "mw", .nlat = 7, .nphi = 13});
  ASSERT_EQ(mw.pairs().size(), 7u);  // no ring has a mirror image
  for (Index pair = 0; pair < 7; ++pair) EXPECT_EQ(mw.is_joined_to_next(pair), pair % 2 == 0 && pair < 6);
  const RingGrid gauss = make_gauss(7, 14);
  for (std::size_t pair = 0; pair < gauss.pairs().size(); ++pair)
    EXPECT_FALSE(gauss.is_joined_to_next(static_cast<Index>(pair)));
  // The northern polar cap of HEALPix: no two rings of one length.
  const RingGrid cap = make_part({.kind = "healpix", .nside = 8}, {.rings = {{0, 7}}});
  for (std::size_t pair = 0; pair < cap.pairs().size(); ++pair)
    EXPECT_FALSE(cap.is_joined_to_next(static_cast<Index>(pair)));
}

}  // namespace
}  // namespace armilla::grid
