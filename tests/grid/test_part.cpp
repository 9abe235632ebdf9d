#include <armilla/core/error.hpp>
#include <armilla/grid/healpix.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/refusal.hpp"
#include <gtest/gtest.h>

namespace armilla::grid {
namespace {

TEST(Part, OfTheLargestHealpixIsMadeWithoutTheWhole) {
  const Index nside = Index{1} << 29;
  const GridDescription whole{.kind = "healpix", .nside = nside};
  const RingGrid grid =
      make_part(whole, {.rings = {{healpix_ring_count(nside) - 2, healpix_ring_count(nside) - 1}, {0, 0}}});
  ASSERT_EQ(grid.rings().size(), 3U);
  EXPECT_EQ(grid.npix(), 4 + 8 + 4);
  EXPECT_EQ(grid.pairs().size(), 2U);
  const RingGrid band = make_part(whole, {.theta = ThetaRange{core::kPi / 2, core::kPi / 2 + 1e-9}});
  EXPECT_EQ(band.description().part.front().first, 2 * nside - 1);
  EXPECT_THROW(make_healpix(nside), core::InputError);
}

TEST(Part, TakesRingsInABand) {
  const GridDescription whole{.kind = "equiangular", .rule = "cc", .nlat = 181, .nphi = 8};
  const double degree = core::kPi / 180;
  const auto ranges = [&](RingSelection selection) { return make_part(whole, selection).description().part; };
  // Rings lie at whole degrees, and those at the ends of a band belong to it.
  for (Index a = 0; a < 180; a += 7)
    EXPECT_EQ(ranges({.theta = ThetaRange{static_cast<double>(a) * degree, static_cast<double>(a + 3) * degree}}),
              (std::vector<RingRange>{{a, std::min<Index>(a + 3, 180)}}));
  EXPECT_TRUE(ranges({.theta = ThetaRange{0, core::kPi}}).empty()) << "that is all";
  EXPECT_TRUE(ranges({.rings = {{90, 180}, {0, 100}}}).empty());
  EXPECT_EQ(ranges({.rings = {{7, 9}, {3, 3}, {8, 12}, {4, 4}}}), (std::vector<RingRange>{{3, 4}, {7, 12}}));
  EXPECT_EQ(ranges({.rings = {{7, 9}, {20, 30}}, .theta = ThetaRange{9 * degree, 25 * degree}}),
            (std::vector<RingRange>{{9, 9}, {20, 25}}));
  EXPECT_EQ(make_part(whole, {.rings = {{0, 90}}}).pairs().size(), 91U) << "a hemisphere has no mirror rings";
}

TEST(Part, RefusesWhatHoldsNoRing) {
  const auto message = [](RingSelection selection) {
    return test::refusal([&] { make_part({.kind = "healpix", .nside = 4}, selection); });
  };
  EXPECT_NE(message({.rings = {{3, 15}}}).find("ring 15 does not exist on healpix nside 4: its rings are 0 .. 14"),
            std::string::npos);
  EXPECT_NE(message({.rings = {{5, 4}}}).find("rings = [5, 4]: the first"), std::string::npos);
  EXPECT_NE(message({.rings = {{-1, 4}}}).find("ring -1 does not exist"), std::string::npos);
  for (const ThetaRange theta : {ThetaRange{-0.1, 1}, {1, 0.5}, {0, 4}, {std::nan(""), 1}})
    EXPECT_NE(message({.theta = theta}).find("is not a valid range: use 0 <= first <= last <= 180"), std::string::npos);
  EXPECT_NE(message({.theta = ThetaRange{0, 0.01}}).find("no ring of healpix nside 4"), std::string::npos);
  EXPECT_NE(message({.rings = {{0, 1}}, .theta = ThetaRange{1, 2}}).find("none of the selected rings"),
            std::string::npos);
  const RingGrid part = make_part({.kind = "healpix", .nside = 4}, {.rings = {{3, 5}}});
  EXPECT_NE(test::refusal([&] {
              part_of(part, {.rings = {{0, 0}}});
            }).find("already covers only part of the sky"),
            std::string::npos);
}

}  // namespace
}  // namespace armilla::grid
