#include <armilla/dist/degree_distribution.hpp>

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace armilla::dist {
namespace {

using core::at;

TEST(DegreeDistribution, EveryDegreeHasExactlyOneOwner) {
  for (const Index lmax : {0, 1, 5, 64, 1023})
    for (const int ranks : {1, 2, 3, 7, 40}) {
      const DegreeDistribution degrees(lmax, ranks);
      std::vector<int> owners(at(lmax + 1), 0);
      for (int rank = 0; rank < ranks; ++rank) {
        Index last = -1;
        for (const DegreeBlock& block : degrees.blocks(rank)) {
          EXPECT_GT(block.first, last);
          EXPECT_GT(block.count, 0);
          last = block.first + block.count - 1;
          for (Index l = block.first; l <= last; ++l) ++owners.at(at(l));
        }
      }
      EXPECT_EQ(std::ranges::count(owners, 1), lmax + 1);
    }
}

TEST(DegreeDistribution, SharesTheWorkEvenly) {
  for (const int ranks : {2, 7, 64}) {
    const DegreeDistribution degrees(2047, ranks);
    double most = 0;
    double total = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      double work = 0;
      for (const DegreeBlock& block : degrees.blocks(rank))
        for (Index l = block.first; l < block.first + block.count; ++l) work += static_cast<double>(l * l);
      most = std::max(most, work);
      total += work;
    }
    EXPECT_LE(most * ranks / total, 1.01) << ranks;
  }
}

// What each rank sends lands where the receiver looks for it.
TEST(DegreeExchangePlan, BringsEveryCoefficientToTheOwnerOfItsDegree) {
  for (const Index lmax : {0, 1, 30, 101})
    for (const int ranks : {1, 2, 3, 7})
      for (const Index fields : {1, 2}) {
        const AlmDistribution alm(AlmLayout(lmax, lmax), ranks);
        const DegreeDistribution degrees(lmax, ranks);
        std::vector<DegreeExchangePlan> plans;
        for (int rank = 0; rank < ranks; ++rank) plans.emplace_back(alm, degrees, fields, rank);
        const auto name = [&](Index f, Index l, Index m) { return (f << 40) + (l << 20) + m; };
        std::vector<std::vector<Index>> sent;
        for (int s = 0; s < ranks; ++s) {
          std::vector<Index>& buffer = sent.emplace_back();
          for (int d = 0; d < ranks; ++d) {
            ASSERT_EQ(plans[at(s)].send_displacements[at(d)], static_cast<Index>(buffer.size()));
            for (Index f = 0; f < fields; ++f)
              for (const Index m : alm.local_m(s))
                for (const DegreeBlock& block : degrees.blocks(d))
                  for (Index l = std::max(m, block.first); l < block.first + block.count; ++l)
                    buffer.push_back(name(f, l, m));
            EXPECT_EQ(plans[at(s)].send_counts[at(d)], plans[at(d)].receive_counts[at(s)]);
          }
          EXPECT_EQ(plans[at(s)].send_size, static_cast<Index>(buffer.size()));
        }
        for (int d = 0; d < ranks; ++d) {
          const DegreeExchangePlan& plan = plans[at(d)];
          std::vector<Index> received;
          for (int s = 0; s < ranks; ++s) {
            const auto first = sent[at(s)].begin() + plans[at(s)].send_displacements[at(d)];
            received.insert(received.end(), first, first + plan.receive_counts[at(s)]);
          }
          ASSERT_EQ(plan.receive_size, static_cast<Index>(received.size()));
          Index i = 0;
          for (const DegreeBlock& block : degrees.blocks(d))
            for (Index l = block.first; l < block.first + block.count; ++l, ++i)
              for (Index m = 0; m <= l; ++m)
                for (Index f = 0; f < fields; ++f)
                  ASSERT_EQ(received.at(at(plan.offsets[at(m)] + f * plan.field_strides[at(m)] + i)), name(f, l, m));
        }
      }
}

}  // namespace
}  // namespace armilla::dist
