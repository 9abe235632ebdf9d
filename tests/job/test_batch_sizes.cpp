#include <armilla/job/campaign/batch_sizes.hpp>

#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::job {
namespace {

using Choice = BatchSizes::Choice;
constexpr double kNoLimit = std::numeric_limits<double>::infinity();

TEST(BatchQueue, TakesEachMapOfTheGroupOnceAndInOrder) {
  JobPlan plan{};
  plan.campaign.emplace();
  plan.campaign->labels.resize(20);
  plan.campaign->items = {0, 1, 2, 3, 4, 5, 9, 11, 12, 13};
  plan.campaign->groups = 2;
  set_batch(plan, 4);  // 0-3, 4-5, 9, 11-13
  BatchQueue queue(*plan.campaign, 0);
  std::vector<std::pair<Index, Index>> taken;
  for (const Index most : {1, 2, 4, 4}) {
    ASSERT_FALSE(queue.empty());
    const CampaignPlan::Run run = queue.take(most);
    taken.emplace_back(run.first, run.maps);
  }
  EXPECT_EQ(taken, (std::vector<std::pair<Index, Index>>{{0, 1}, {1, 2}, {3, 1}, {9, 1}}));
  EXPECT_TRUE(queue.empty());
  BatchQueue other(*plan.campaign, 1);
  EXPECT_EQ(other.take(8).first, 4);
  EXPECT_EQ(other.take(8).maps, 3);
  EXPECT_TRUE(other.empty());
}

TEST(BatchSizes, WithoutALimitAreThoseOfThePlan) {
  BatchSizes sizes(64, Choice::kFitsTime);
  EXPECT_EQ(sizes.first(kNoLimit), 64);
  EXPECT_EQ(sizes.next(kNoLimit, 64), 64);
  sizes.add(64, 1e9);
  EXPECT_EQ(sizes.next(kNoLimit, 64), 64);
}

TEST(BatchSizes, AreOneMapUntilItsTimeIsKnownThenWhatFitsIntoHalfOfTheTime) {
  BatchSizes sizes(64, Choice::kFitsTime);
  EXPECT_EQ(sizes.first(3600), 1);
  EXPECT_EQ(sizes.next(3600, 1), 1);
  EXPECT_EQ(sizes.expected(1, 1), 0);
  sizes.add(1, 100);
  EXPECT_EQ(sizes.next(1e6, 1), 64);
  EXPECT_EQ(sizes.next(3600, 1), 16);  // 1800 / (1.1 * 100) = 16.4
  EXPECT_EQ(sizes.next(111, 1), 1);
  EXPECT_EQ(sizes.next(109, 1), 0);
  EXPECT_EQ(sizes.next(-1, 1), 0);
  sizes.set_write(20);
  EXPECT_EQ(sizes.next(3600, 1), 13);  // 1800 / (1.1 * 120) = 13.6
  sizes.add(13, 13 * 10.0);            // maps of larger batches are faster: the slowest time counts
  EXPECT_EQ(sizes.next(13 * 132 + 1, 13), 13) << "the steps are prepared for them";
  EXPECT_EQ(sizes.next(13 * 132 - 1, 13), 6);
}

TEST(BatchSizes, ChangeOnlyIfTheyMustOrDouble) {
  BatchSizes sizes(64, Choice::kFitsTime);
  sizes.add(8, 80);
  EXPECT_EQ(sizes.next(11 * 31, 8), 8);
  EXPECT_EQ(sizes.next(11 * 32 + 1, 8), 16);
  sizes.set_preparation(22);  // as long as two maps
  EXPECT_EQ(sizes.next(11 * 33, 8), 8);
  EXPECT_EQ(sizes.next(11 * 34 + 1, 8), 16);
  EXPECT_EQ(sizes.next(11 * 8 - 1, 8), 2) << "the steps are prepared again for fewer maps";
  EXPECT_EQ(sizes.next(11 * 3 + 1, 8), 1);
  EXPECT_EQ(sizes.next(11 * 3 - 1, 8), 0);
  EXPECT_EQ(sizes.expected(5, 8), 5 * 10 + 22);
  EXPECT_EQ(sizes.expected(8, 8), 80);
}

TEST(BatchSizes, OfTheJobAreKeptOrNotStarted) {
  BatchSizes sizes(16, Choice::kFixed);
  EXPECT_EQ(sizes.first(10), 16);
  EXPECT_EQ(sizes.next(10, 16), 16) << "its time is unknown";
  sizes.add(16, 160);
  EXPECT_EQ(sizes.next(177, 16), 16);
  EXPECT_EQ(sizes.next(175, 16), 0);
}

}  // namespace
}  // namespace armilla::job
