#include <armilla/backend/device_need.hpp>
#include <armilla/backend/pieces.hpp>

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

TEST(Runs, JoinWhatFollowsEachOther) {
  Runs runs;
  runs.add(10, 3);
  runs.add(13, 2);
  runs.add(20, 0);
  runs.add(2, 1);
  EXPECT_EQ(runs.all(), (std::vector<backend::Run>{{10, 5}, {2, 1}}));
  EXPECT_EQ(runs.size(), 6);
}

TEST(Pieces, OrdersFillTheirRoomOrStandAlone) {
  const std::vector<Index> bytes{5, 5, 20, 1, 1, 1};
  const auto ranges = order_ranges(bytes, 10);
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0].end, 2);
  EXPECT_EQ(ranges[1].end, 3);
  EXPECT_EQ(ranges[2].end, 6);
  EXPECT_TRUE(order_ranges(std::vector<Index>{}, 10).empty());
}

TEST(Pieces, RingsStayWithTheirPartners) {
  std::vector<fft::RingShape> rings(6, {4, 0.0, 0, 3, -1});
  rings[0].partner = 1;
  rings[1].partner = 0;
  rings[2].partner = 5;
  rings[5].partner = 2;
  fft::RingTask task;
  task.rings = rings;
  const std::vector<bool> cuts = ring_cuts(task);
  EXPECT_EQ(cuts, (std::vector<bool>{false, true, false, false, false, true}));
  const std::vector<Index> bytes{1, 1, 1, 1, 1, 1};
  const auto ranges = slot_ranges(bytes, cuts, 3);
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].end, 2);
  EXPECT_EQ(ranges[1].begin, 2);
  EXPECT_EQ(ranges[1].end, 6);
}

// Slot s feels m < m_count[s]; two maps of two components.
TEST(Pieces, OfRingsHaveAllTheirNumbersOnce) {
  const std::vector<fft::RingShape> rings{
      {4, 0.0, 0, 2, 1}, {4, 0.0, 20, 2, 0}, {6, 0.1, 4, 3, 3}, {6, 0.1, 14, 3, 2}, {4, 0.0, 10, 3, -1}};
  const Index width = 4;
  const std::vector<Index> m_shift{0, 5 * width, (10 - 2) * width};
  fft::RingTask task;
  task.rings = rings;
  task.m_shift = m_shift;
  task.components = 2;
  task.maps = 2;
  task.component_stride = 24;
  task.map_stride = 48;
  std::vector<int> delta(static_cast<std::size_t>(13 * width), 0);
  std::vector<int> map(96, 0);
  const auto count = [](const Runs& runs, std::vector<int>& seen) {
    for (const backend::Run& run : runs.all())
      for (Index i = run.begin; i < run.begin + run.count; ++i) ++seen[static_cast<std::size_t>(i)];
  };
  for (const SlotSpan& slots : {SlotSpan{0, 2}, SlotSpan{2, 5}}) {
    const RingPiece piece(task, slots);
    count(piece.delta(), delta);
    count(piece.map(), map);
    for (const fft::RingShape& ring : piece.task().rings)
      if (ring.partner >= 0) {
        EXPECT_EQ(piece.task().rings[static_cast<std::size_t>(ring.partner)].nphi, ring.nphi);
      }
  }
  EXPECT_EQ(delta, std::vector<int>(delta.size(), 1));
  EXPECT_EQ(map, std::vector<int>(96, 1));
}

TEST(DeviceUse, TakesAsMuchWorkingSpaceAsFits) {
  const BytesOfWork whole = [](Index work) { return 600 + 4 * work; };
  const BytesOfWork parts = [](Index work) { return 100 + work; };
  auto use = choose_use(1600, 10, whole, parts);
  ASSERT_TRUE(use);
  EXPECT_TRUE(use->whole);
  EXPECT_EQ(use->work_bytes, 200);  // an eighth
  use = choose_use(800, 10, whole, parts);
  ASSERT_TRUE(use);
  EXPECT_TRUE(use->whole);
  EXPECT_EQ(use->work_bytes, 50);
  use = choose_use(640, 10, whole, parts);
  ASSERT_TRUE(use);
  EXPECT_TRUE(use->whole);
  EXPECT_EQ(use->work_bytes, 10);
  use = choose_use(639, 10, whole, parts);
  ASSERT_TRUE(use);
  EXPECT_FALSE(use->whole);
  EXPECT_EQ(use->room, 639);
  use = choose_use(110, 10, whole, parts);
  ASSERT_TRUE(use);
  EXPECT_FALSE(use->whole);
  EXPECT_EQ(use->work_bytes, 10);
  EXPECT_FALSE(choose_use(109, 10, whole, parts));
}

}  // namespace
}  // namespace armilla::backend
