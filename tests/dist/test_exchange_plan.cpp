#include <armilla/dist/distribution.hpp>
#include <armilla/dist/exchange_plan.hpp>
#include <armilla/grid/makers.hpp>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "grids.hpp"
#include <gtest/gtest.h>

namespace armilla::dist {
namespace {

using test::grids;
using test::kRanks;

// Walks both sides of every exchange by the published formulas and sees that they name the same numbers.
TEST(ExchangePlan, BothSidesAgreeOnEveryPosition) {
  for (const auto& grid : grids())
    for (const int ranks : {1, 2, 3, 7})
      for (const Index spin : {0, 2}) {
        const AlmDistribution alm(AlmLayout(300, 260), ranks);
        const PixelDistribution pixels(grid, ranks);
        const Index width = 2;
        std::vector<ExchangePlan> plans;
        for (int rank = 0; rank < ranks; ++rank) plans.emplace_back(alm, pixels, spin, width, rank);
        Index covered = 0;
        for (int source = 0; source < ranks; ++source) {
          const ExchangePlan& sender = plans[static_cast<std::size_t>(source)];
          const auto own_m = alm.local_m(source);
          std::set<Index> positions;
          for (std::size_t k = 0; k < own_m.size(); ++k) {
            for (Index p = sender.first_pair[k]; p < static_cast<Index>(grid->pairs().size()); ++p) {
              const int owner = sender.pair_block[static_cast<std::size_t>(p)];
              const ExchangePlan& receiver = plans[static_cast<std::size_t>(owner)];
              for (const Index slot :
                   {sender.north_slot[static_cast<std::size_t>(p)], sender.south_slot[static_cast<std::size_t>(p)]}) {
                if (slot < 0) continue;
                const Index sent =
                    sender.block_shift[k * static_cast<std::size_t>(ranks) + static_cast<std::size_t>(owner)] +
                    slot * width - sender.send_displacements[static_cast<std::size_t>(owner)];
                const Index received = receiver.m_shift[static_cast<std::size_t>(own_m[k])] + slot * width -
                                       receiver.receive_displacements[static_cast<std::size_t>(source)];
                ASSERT_EQ(sent, received);
                ASSERT_GE(sent, 0);
                ASSERT_LE(sent + width, sender.send_counts[static_cast<std::size_t>(owner)]);
                ASSERT_LT(own_m[k], receiver.m_count[static_cast<std::size_t>(slot)]);
                ASSERT_TRUE(positions.insert(sent + sender.send_displacements[static_cast<std::size_t>(owner)]).second);
                ++covered;
              }
            }
          }
          EXPECT_EQ(static_cast<Index>(positions.size()) * width, sender.send_size);
          for (int d = 0; d < ranks; ++d)
            EXPECT_EQ(sender.send_counts[static_cast<std::size_t>(d)],
                      plans[static_cast<std::size_t>(d)].receive_counts[static_cast<std::size_t>(source)]);
        }
        EXPECT_GT(covered, 0);
      }
}

// Parts fill the blocks one after the other, hold whole m, and both sides agree on them.
TEST(ExchangePlan, PartsFillTheBlocks) {
  constexpr int kParts = 4;
  for (const auto& grid : grids())
    for (const int ranks : kRanks) {
      const AlmDistribution alm(AlmLayout(300, 260), ranks);
      const PixelDistribution pixels(grid, ranks);
      std::vector<ExchangePlan> plans;
      for (int rank = 0; rank < ranks; ++rank) plans.emplace_back(alm, pixels, 2, 3, rank, kParts);
      for (int rank = 0; rank < ranks; ++rank) {
        const ExchangePlan& plan = plans[static_cast<std::size_t>(rank)];
        ASSERT_EQ(plan.parts.size(), static_cast<std::size_t>(kParts));
        EXPECT_EQ(plan.part_begin.front(), 0);
        EXPECT_EQ(plan.part_begin.back(), static_cast<Index>(alm.local_m(rank).size()));
        for (int other = 0; other < ranks; ++other) {
          const auto at = static_cast<std::size_t>(other);
          Index here = plan.send_displacements[at], there = plan.receive_displacements[at];
          for (std::size_t part = 0; part < plan.parts.size(); ++part) {
            const core::ExchangePart& own = plan.parts[part];
            EXPECT_EQ(own.here_displacements[at], here);
            EXPECT_EQ(own.there_displacements[at], there);
            EXPECT_EQ(own.here_counts[at], plans[at].parts[part].there_counts[static_cast<std::size_t>(rank)]);
            // Delta of the first of its m stands where the part begins.
            const Index k = plan.part_begin[part];
            if (own.here_counts[at] > 0) {
              Index first = plan.send_size;
              for (std::size_t pair = static_cast<std::size_t>(plan.first_pair[static_cast<std::size_t>(k)]);
                   pair < plan.pair_block.size(); ++pair)
                for (const Index slot : {plan.north_slot[pair], plan.south_slot[pair]})
                  if (slot >= 0 && plan.pair_block[pair] == other)
                    first = std::min(first, plan.block_shift[static_cast<std::size_t>(k * ranks + other)] + slot * 3);
              if (first < plan.send_size) {
                EXPECT_EQ(first, here);
              }
            }
            here += own.here_counts[at];
            there += own.there_counts[at];
          }
          EXPECT_EQ(here, plan.send_displacements[at] + plan.send_counts[at]);
          EXPECT_EQ(there, plan.receive_displacements[at] + plan.receive_counts[at]);
        }
      }
    }
}

// Positions in the joint buffers fill them once, and both sides agree.
TEST(JointExchange, PlansStandOneAfterTheOther) {
  for (const auto& grid : grids())
    for (const int ranks : {1, 2, 3, 7}) {
      const AlmDistribution alm(AlmLayout(300, 260), ranks);
      const PixelDistribution pixels(grid, ranks);
      std::vector<std::vector<ExchangePlan>> plans(static_cast<std::size_t>(ranks));
      std::vector<JointExchange> joint;
      for (int rank = 0; rank < ranks; ++rank) {
        auto& own = plans[static_cast<std::size_t>(rank)];
        for (const auto& [spin, width] : {std::pair<Index, Index>{0, 1}, {2, 2}, {1, 6}})
          own.emplace_back(alm, pixels, spin, width, rank);
        std::vector<ExchangePlan*> pointers;
        for (ExchangePlan& plan : own) pointers.push_back(&plan);
        joint.emplace_back(alm, pointers);
      }
      for (int source = 0; source < ranks; ++source) {
        const JointExchange& sender = joint[static_cast<std::size_t>(source)];
        const auto own_m = alm.local_m(source);
        std::vector<int> filled(static_cast<std::size_t>(sender.send_size), 0);
        for (std::size_t part = 0; part < 3; ++part) {
          const ExchangePlan& plan = plans[static_cast<std::size_t>(source)][part];
          for (std::size_t k = 0; k < own_m.size(); ++k)
            for (auto p = static_cast<std::size_t>(plan.first_pair[k]); p < grid->pairs().size(); ++p)
              for (const Index slot : {plan.north_slot[p], plan.south_slot[p]}) {
                if (slot < 0) continue;
                const auto owner = static_cast<std::size_t>(plan.pair_block[p]);
                const Index position =
                    plan.block_shift[k * static_cast<std::size_t>(ranks) + owner] + slot * plan.width;
                const Index received =
                    plans[owner][part].m_shift[static_cast<std::size_t>(own_m[k])] + slot * plan.width;
                ASSERT_EQ(position - sender.send_displacements[owner],
                          received - joint[owner].receive_displacements[static_cast<std::size_t>(source)]);
                for (Index w = 0; w < plan.width; ++w) ++filled.at(static_cast<std::size_t>(position + w));
              }
        }
        EXPECT_TRUE(std::ranges::all_of(filled, [](int n) { return n == 1; }));
        for (int d = 0; d < ranks; ++d)
          EXPECT_EQ(sender.send_counts[static_cast<std::size_t>(d)],
                    joint[static_cast<std::size_t>(d)].receive_counts[static_cast<std::size_t>(source)]);
      }
    }
}

TEST(ExchangePlan, CountsOfHugeTransformsStayExact) {
  // nside 8192, lmax 16383 on two ranks: more than 2^31 complex numbers, by arithmetic alone.
  const AlmDistribution alm(AlmLayout(16383, 16383), 2);
  const PixelDistribution pixels(std::make_shared<RingGrid>(grid::make_healpix(8192)), 2);
  const ExchangePlan plan(alm, pixels, 2, 64, 0);
  EXPECT_GT(plan.send_size, Index{1} << 33);
  EXPECT_EQ(plan.send_displacements[1], plan.send_counts[0]);
}

}  // namespace
}  // namespace armilla::dist
