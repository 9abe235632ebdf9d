#include <armilla/job/plan/run_forecast.hpp>

#include <gtest/gtest.h>

namespace armilla::job {
namespace {

TEST(BatchTime, OneBatchOverlapsWithNothing) {
  for (const double core : {0.0, 5.0}) {
    const BatchTime batch{.work = 7, .read = 3, .write = 2, .create = 1, .core = core};
    EXPECT_DOUBLE_EQ(batch.seconds(1), 13);
    EXPECT_DOUBLE_EQ(batch.total(), 13);
  }
}

TEST(BatchTime, WorkHidesFilesIfACoreIsFree) {
  const BatchTime batch{.work = 7, .read = 3, .write = 2, .create = 1, .core = 0};
  EXPECT_DOUBLE_EQ(batch.wait(), 0);
  EXPECT_DOUBLE_EQ(batch.seconds(10), 10 * 7 + 6);
}

TEST(BatchTime, FilesTakeACoreFromTheWorkIfNoneIsFree) {
  // Their creation does not.
  const BatchTime batch{.work = 7, .read = 3, .write = 2, .create = 1, .core = 5};
  EXPECT_DOUBLE_EQ(batch.seconds(10), 10 * 7 + 6 + 9 * 5);
  const BatchTime half{.work = 7, .read = 3, .write = 2, .create = 1, .core = 2.5};
  EXPECT_DOUBLE_EQ(half.seconds(10), 10 * 7 + 6 + 9 * 2.5);
}

TEST(BatchTime, FilesHideWorkIfTheyTakeLonger) {
  const BatchTime batch{.work = 4, .read = 30, .write = 20, .create = 1, .core = 0};
  EXPECT_DOUBLE_EQ(batch.seconds(10), 4 + 10 * 51);
  const BatchTime busy{.work = 4, .read = 30, .write = 20, .create = 1, .core = 50};
  EXPECT_DOUBLE_EQ(busy.seconds(10), 10 * 4 + 51 + 9 * 50);
}

TEST(BatchTime, SmallerBatchesOverlapMore) {
  const BatchTime batch{.work = 6, .read = 3, .write = 2, .create = 1, .core = 0};
  EXPECT_DOUBLE_EQ(batch.seconds(1), 12);
  EXPECT_DOUBLE_EQ(batch.seconds(6, 1.0 / 6), 6 + 1);
}

}  // namespace
}  // namespace armilla::job
