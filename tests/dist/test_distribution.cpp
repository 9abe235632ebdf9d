#include <armilla/dist/distribution.hpp>
#include <armilla/dist/exchange_plan.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/math/polar_cut.hpp>

#include <algorithm>
#include <numeric>
#include <set>

#include "grids.hpp"
#include <gtest/gtest.h>

namespace armilla::dist {
namespace {

using test::grids;
using test::kRanks;

TEST(AlmDistribution, EveryMHasExactlyOneOwner) {
  for (const int ranks : kRanks)
    for (const Index mmax : {0, 1, 2, 10, 31}) {
      const AlmDistribution distribution(AlmLayout(31, mmax), ranks);
      std::multiset<Index> seen;
      Index size = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        for (const Index m : distribution.local_m(rank)) {
          EXPECT_EQ(distribution.owner(m), rank);
          seen.insert(m);
        }
        size += distribution.local_size(rank);
      }
      EXPECT_EQ(static_cast<Index>(seen.size()), mmax + 1);
      EXPECT_EQ(static_cast<Index>(std::set<Index>(seen.begin(), seen.end()).size()), mmax + 1);
      EXPECT_EQ(size, distribution.layout().size());
    }
}

TEST(AlmDistribution, MultiplesOfAStepHaveExactlyOneOwner) {
  for (const int ranks : kRanks)
    for (const Index mmax : {0, 3, 4, 31}) {
      const AlmDistribution distribution(AlmLayout(31, mmax), ranks, 4);
      std::multiset<Index> seen;
      for (int rank = 0; rank < ranks; ++rank) {
        const auto own = distribution.local_m(rank);
        for (std::size_t k = 0; k < own.size(); ++k) {
          EXPECT_EQ(distribution.owner(own[k]), rank);
          seen.insert(own[k]);
        }
        if (own.empty()) continue;
        EXPECT_EQ(distribution.local_offsets(rank).back() + 31, distribution.local_size(rank) - 1);
      }
      std::multiset<Index> expected;
      for (Index m = 0; m <= mmax; m += 4) expected.insert(m);
      EXPECT_EQ(seen, expected);
    }
}

namespace {

/// The dearest rank over the mean, less one.
double imbalance(const std::vector<double>& costs) {
  return std::ranges::max(costs) * static_cast<double>(costs.size()) /
             std::accumulate(costs.begin(), costs.end(), 0.0) -
         1;
}

/// Of the Legendre stage: for each m the degrees from the first one that is not negligible on a ring pair, on all.
double legendre_imbalance(const grid::RingGrid& grid, Index lmax, int ranks) {
  const AlmDistribution alm(AlmLayout(lmax, lmax), ranks);
  std::vector<double> work(static_cast<std::size_t>(lmax) + 1, 0.0);
  for (const grid::RingPair& pair : grid.pairs()) {
    Index first = 0;
    for (Index m = 0; m <= lmax; ++m) {
      while (first <= lmax && (first < m || math::polar_cut(first, 0, pair.cos_theta, pair.sin_theta) < m)) ++first;
      work[static_cast<std::size_t>(m)] += static_cast<double>(lmax - first + 1);
    }
  }
  std::vector<double> costs;
  for (int rank = 0; rank < ranks; ++rank) {
    double& cost = costs.emplace_back(0.0);
    for (const Index m : alm.local_m(rank)) cost += work[static_cast<std::size_t>(m)];
  }
  return imbalance(costs);
}

/// Of ring FFTs: pixels times the logarithm of those of a ring.
double ring_imbalance(const std::shared_ptr<const grid::RingGrid>& grid, int ranks) {
  const PixelDistribution pixels(grid, ranks);
  std::vector<double> costs;
  for (int rank = 0; rank < ranks; ++rank) {
    double& cost = costs.emplace_back(0.0);
    for (const Index ring : pixels.local_rings(rank)) {
      const auto n = static_cast<double>(grid->rings()[static_cast<std::size_t>(ring)].nphi);
      cost += n * (4 + std::log2(n));
    }
  }
  return imbalance(costs);
}

}  // namespace

// At least eight m for each rank.
void expect_balanced_legendre_stage(core::Index nside, const std::vector<int>& numbers_of_ranks) {
  const grid::RingGrid healpix = grid::make_healpix(nside), gauss = grid::make_gauss(2 * nside, 4 * nside);
  for (const int ranks : numbers_of_ranks) {
    EXPECT_LE(legendre_imbalance(healpix, 2 * nside - 1, ranks), 0.01) << ranks;
    EXPECT_LE(legendre_imbalance(gauss, 2 * nside - 1, ranks), 0.01) << ranks;
  }
}

TEST(AlmDistribution, WorkOfTheLegendreStageIsBalanced) { expect_balanced_legendre_stage(512, {8, 125, 128}); }
TEST(AlmDistributionSweep, WorkOfTheLegendreStageIsBalanced) { expect_balanced_legendre_stage(4096, {64, 1000, 1024}); }

TEST(AlmDistribution, CoefficientsAreBalanced) {
  const AlmDistribution distribution(AlmLayout(8191, 8191), 1024);
  std::vector<double> sizes;
  for (int rank = 0; rank < 1024; ++rank) sizes.push_back(static_cast<double>(distribution.local_size(rank)));
  EXPECT_LE(imbalance(sizes), 0.025);
}

TEST(PixelDistribution, NoBlockIsDearerThanNeedBe) {
  const auto healpix = std::make_shared<const grid::RingGrid>(grid::make_healpix(4096));
  const auto gauss = std::make_shared<const grid::RingGrid>(grid::make_gauss(8192, 16384));
  EXPECT_LE(ring_imbalance(healpix, 64), 0.01);
  EXPECT_LE(ring_imbalance(healpix, 1024), 0.035);
  EXPECT_LE(ring_imbalance(gauss, 64), 1e-3);
  EXPECT_LE(ring_imbalance(gauss, 1024), 1e-3);
  // 4096 equal pairs: some of 1000 ranks have five.
  EXPECT_NEAR(ring_imbalance(gauss, 1000), 5 / 4.096 - 1, 1e-3);
}

TEST(PixelDistribution, JoinedPairsAreOnOneRankAndFeelTheSameM) {
  Index joined = 0;
  for (const auto& grid : grids())
    for (const int ranks : kRanks) {
      const PixelDistribution pixels(grid, ranks);
      const AlmDistribution alm(AlmLayout(300, 300), ranks);  // beyond the margin of the polar cut
      for (int rank = 0; rank < ranks; ++rank) {
        const ExchangePlan plan(alm, pixels, 0, 1, rank);
        for (Index p = 0; p < static_cast<Index>(grid->pairs().size()); ++p) {
          if (!grid->is_joined_to_next(p)) continue;
          const auto here = static_cast<std::size_t>(p);
          ASSERT_EQ(plan.pair_block[here], plan.pair_block[here + 1]) << grid->description().text();
          if (plan.pair_block[here] != rank) continue;
          const auto count = [&](std::size_t pair) {
            return plan.m_count[static_cast<std::size_t>(std::max(plan.north_slot[pair], plan.south_slot[pair]))];
          };
          ASSERT_EQ(count(here), count(here + 1)) << grid->description().text();
          ++joined;
        }
      }
    }
  EXPECT_GT(joined, 0);
}

TEST(PixelDistribution, EveryPixelHasExactlyOneOwnerAndTwoRangesAtMost) {
  for (const auto& grid : grids())
    for (const int ranks : kRanks) {
      const PixelDistribution distribution(grid, ranks);
      std::vector<int> owners(static_cast<std::size_t>(grid->npix()), 0);
      for (int rank = 0; rank < ranks; ++rank) {
        const auto ranges = distribution.pixel_ranges(rank);
        EXPECT_LE(ranges.size(), 2U);
        Index count = 0;
        for (const PixelRange& range : ranges) {
          EXPECT_GT(range.count, 0);
          for (Index p = range.first; p < range.first + range.count; ++p) {
            ++owners[static_cast<std::size_t>(p)];
            const OwnedPlace place = distribution.place(p);
            EXPECT_TRUE(place.rank == rank && place.index == count + p - range.first);
          }
          count += range.count;
        }
        EXPECT_EQ(count, distribution.local_pixels(rank));
      }
      EXPECT_TRUE(std::ranges::all_of(owners, [](int n) { return n == 1; })) << grid->description().text();
    }
}

TEST(PixelDistribution, RingsStandWhereTheirPixelsAre) {
  for (const auto& grid : grids())
    for (const int ranks : kRanks) {
      const PixelDistribution distribution(grid, ranks);
      for (int rank = 0; rank < ranks; ++rank) {
        std::vector<Index> pixels;  // global number of each local pixel
        for (const PixelRange& range : distribution.pixel_ranges(rank))
          for (Index p = range.first; p < range.first + range.count; ++p) pixels.push_back(p);
        const auto rings = distribution.local_rings(rank);
        const auto begins = distribution.local_ring_pixels(rank);
        ASSERT_EQ(rings.size(), begins.size());
        for (std::size_t i = 0; i < rings.size(); ++i)
          EXPECT_EQ(pixels[static_cast<std::size_t>(begins[i])],
                    grid->rings()[static_cast<std::size_t>(rings[i])].first_pixel);
      }
    }
}

TEST(PixelDistribution, PixelsAreBalanced) {
  const PixelDistribution distribution(std::make_shared<RingGrid>(grid::make_healpix(256)), 8);
  const double mean = 12.0 * 256 * 256 / 8;
  for (int rank = 0; rank < 8; ++rank)
    EXPECT_NEAR(static_cast<double>(distribution.local_pixels(rank)), mean, 0.1 * mean);
}

// nside 16384: 3.2e9 pixels, and exchanges of more than 2^31 numbers; nothing of that size is allocated.
TEST(Distribution, CountsOfLargeMapsDoNotEndAt32Bit) {
  const auto grid = std::make_shared<RingGrid>(grid::make_healpix(16384));
  constexpr Index kMany = Index{1} << 31;
  ASSERT_EQ(grid->npix(), 3221225472);
  constexpr int ranks = 4;
  const PixelDistribution pixels(grid, ranks);
  Index count = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    Index own = 0;
    for (const PixelRange& range : pixels.pixel_ranges(rank)) {
      EXPECT_GE(range.first, 0);
      EXPECT_LE(range.first + range.count, grid->npix());
      own += range.count;
    }
    EXPECT_EQ(own, pixels.local_pixels(rank));
    count += own;
    const auto rings = pixels.local_rings(rank);
    const auto begins = pixels.local_ring_pixels(rank);
    for (std::size_t i = 0; i < rings.size(); ++i)
      EXPECT_LE(begins[i] + grid->rings()[static_cast<std::size_t>(rings[i])].nphi, own);
  }
  EXPECT_EQ(count, grid->npix());
  EXPECT_EQ(PixelDistribution(grid, 1).local_pixels(0), grid->npix());

  const AlmDistribution alm({49151, 49151}, ranks);
  constexpr Index width = 6;
  const ExchangePlan first(alm, pixels, 2, width, 0);
  const ExchangePlan last(alm, pixels, 2, width, ranks - 1);
  EXPECT_GT(first.send_size, kMany);
  EXPECT_GT(last.receive_size, kMany);
  EXPECT_EQ(first.send_counts[ranks - 1], last.receive_counts[0]);
  EXPECT_EQ(last.send_counts[0], first.receive_counts[ranks - 1]);
  for (const ExchangePlan* plan : {&first, &last}) {
    EXPECT_EQ(plan->send_displacements.back() + plan->send_counts.back(), plan->send_size);
    for (const Index shift : plan->m_shift) EXPECT_LE(shift, plan->receive_size);
  }
}

}  // namespace
}  // namespace armilla::dist
