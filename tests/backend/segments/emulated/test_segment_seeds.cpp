// Seeds, groups, memory and order of the Legendre stage by segments, on the emulated device.
#include <armilla/backend/cuda/segment_legendre.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "support/device_legendre.hpp"
#include "support/emulation.hpp"
#include <gtest/gtest.h>
#include <kernels/core/device.hpp>
#include <kernels/core/emulated_stream.hpp>
#include <kernels/legendre/step_numbers.hpp>

namespace armilla::backend {
namespace {

using namespace test;
using Segments = SegmentLegendre<double>;

// Threads, warps and blocks have no order on a device.
TEST(SegmentSeedsSweep, SumsDoNotDependOnTheOrderOfThreads) {
  RingTask rings(2, 120, all_orders(60), gauss(801), 3, 5);
  cut(rings, 30);
  const auto alm = rings.random_alm<double>(0);
  const auto delta = rings.random_delta<double>(0);
  const OnDevice<double, Segments> expected(rings, alm, delta, Index{1} << 28);
  const Pretend device({.order = kernels::HostOrder::kDescending});
  const OnDevice<double, Segments> other(rings, alm, delta, Index{1} << 28);
  const auto same = [](const Numbers<double>& a, const Numbers<double>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
  };
  EXPECT_TRUE(same(other.delta, expected.delta));
  EXPECT_TRUE(same(other.alm, expected.alm));
}

// The recurrence of the other kernels, from its start.
template <kernels::RecurrenceForm kForm>
class Follower {
 public:
  Follower(const kernels::ScalarStage& stage, const kernels::SegmentGroup& group, Index k, Index pair)
      : rows_(stage.rows_of(group.rows, k)) {
    recurrence_.start(0, stage.pairs.variable[pair], kernels::start_value(stage.pairs, stage.orders.m[k], pair));
  }
  void go_to(Index step) {
    for (; step_ < step; step_ += 2) {
      recurrence_.template advance<false>(rows_ + step_ * recurrence_.kRowSize);
      recurrence_.template advance<true>(rows_ + (step_ + 1) * recurrence_.kRowSize);
      if (kernels::is_look(step_ + 2)) recurrence_.rescale();
    }
  }
  const auto& recurrence() const { return recurrence_; }

 private:
  kernels::PairRecurrence<kForm, 1> recurrence_;
  const kernels::Two* rows_;
  Index step_ = 0;
};

template <kernels::RecurrenceForm kForm>
void expect_seeds(const kernels::SegmentStage& stage, Index k, Index group, const RingTask& rings) {
  const kernels::SegmentGroup& pairs = stage.groups[group];
  const kernels::Segments segments = stage.segments(k, group);
  ASSERT_GE(segments.first, 0);
  Index earliest = segments.steps;
  for (Index slot = 0; slot < pairs.slots; ++slot) {
    const Index pair = pairs.begin + slot;
    const bool real = pair < pairs.end && pair >= rings.first[static_cast<std::size_t>(k)];
    const kernels::Two* seeds = stage.seeds_of(k, group) + slot;
    if (!real) {
      for (int s = 0; s < kernels::kSegments; ++s) ASSERT_EQ(seeds[s * pairs.slots].a, 0);
      continue;
    }
    Follower<kForm> follower(stage.scalar, pairs, k, pair);
    const auto& recurrence = follower.recurrence();
    bool lost = false;
    for (int s = 0; s < kernels::kSegments; ++s) {
      if (segments.begin(s) >= segments.steps) {
        ASSERT_EQ(seeds[s * pairs.slots].a, 0);
        continue;
      }
      follower.go_to(segments.begin(s));
      const double factor = recurrence.scale[0] == 0 ? 1.0 : recurrence.scale[0] == -1 ? 0x1p-800 : 0.0;
      ASSERT_EQ(seeds[s * pairs.slots].a, factor * recurrence.value[0]) << "slot " << slot << ", segment " << s;
      ASSERT_EQ(seeds[s * pairs.slots].b, factor * recurrence.other[0]) << "slot " << slot << ", segment " << s;
      ASSERT_FALSE(lost && recurrence.scale[0] == 0);
      if (s % 2 == 0) lost = std::abs(seeds[s * pairs.slots].a) < 0x1p-900;
    }
    follower.go_to(segments.steps);
    ASSERT_FALSE(lost && recurrence.scale[0] == 0);
    Follower<kForm> start(stage.scalar, pairs, k, pair);
    Index step = 0;
    while (step < segments.steps && !start.recurrence().any_counts()) start.go_to(step += 2);
    earliest = std::min(earliest, step);
  }
  EXPECT_EQ(segments.first, earliest);
}

TEST(SegmentSeedsSweep, SeedsAreThoseOfTheRecurrence) {
  for (const auto& [lmax, rings_count] : {std::pair<Index, int>{20, 21}, {383, 387}, {383, 33}, {1500, 1502}}) {
    RingTask rings(0, lmax, {0, 1, lmax / 7, lmax / 2, lmax - 1, lmax}, gauss(rings_count), 1);
    cut(rings, std::max(100.0, 0.01 * static_cast<double>(lmax)));
    const kernels::Stream stream;
    for (const Index work : {Index{1}, Index{1} << 28}) {
      Segments stage(rings.task, work, stream);
      for (Index k = 0; k < static_cast<Index>(rings.m.size()); ++k) {
        const kernels::SegmentStage own = kernels::in_kernel(stage.prepared({k, k + 1}, stream));
        kernels::enqueue(stream.get(), [&] {
          for (Index group = own.first_group[k]; group < own.all_groups; ++group) {
            if (own.groups[group].rows == kernels::RowKind::kEquator)
              expect_seeds<kernels::RecurrenceForm::kEquator>(own, k, group, rings);
            else
              expect_seeds<kernels::RecurrenceForm::kTwoTerm>(own, k, group, rings);
          }
        });
        stream.wait();
      }
    }
  }
}

// Each pair of the scalar recurrence is in one group, and pairs of a group are not far from each other.
TEST(SegmentSeedsSweep, GroupsHaveAllPairs) {
  for (const auto& [lmax, rings_count] : {std::pair<Index, int>{47, 49}, {383, 387}, {4095, 65}, {4095, 4097}}) {
    const RingTask rings(0, lmax, {0, lmax / 2, lmax}, gauss(rings_count), 1);
    const SegmentShape shape(rings.task);
    Index next = shape.scalar().parts().wigner;
    Index slot = 0;
    for (const kernels::SegmentGroup& group : shape.groups()) {
      EXPECT_EQ(group.begin, next);
      EXPECT_EQ(group.first_slot, slot);
      EXPECT_GE(group.slots, group.end - group.begin);
      EXPECT_LE(group.slots, kernels::kGroupPairs);
      next = group.end;
      slot += group.slots;
    }
    EXPECT_EQ(next, rings.task.pairs());
  }
}

// On an emulated device, arrays have the sizes that are announced, and estimates are upper bounds.
TEST(SegmentSeedsSweep, TakesTheMemoryThatItAnnounces) {
  bool some_kept = false;
  for (const Index maps : {1, 3})
    for (const Index spin : {0, 2})
      for (const Index work : {Index{1}, Index{1} << 18, Index{1} << 21, Index{1} << 24, Index{1} << 28}) {
        RingTask rings(spin, 200, all_orders(150), gauss(403), maps);
        cut(rings, 30);
        const kernels::Stream stream;
        kernels::forget_peak();
        const Index before = kernels::device_usage().held;
        const SegmentShape shape(rings.task);
        const SegmentShape::Memory memory = shape.memory(work);
        const Segments stage(rings.task, work, stream);
        const Index held = kernels::device_usage().held - before;
        const DeviceEstimate estimate = SegmentShape::estimate(rings.task);
        const auto arrays = static_cast<Index>(sizeof(kernels::Two)) * (memory.kept + memory.work);
        const Index tables = held - arrays;
        EXPECT_GT(tables, 0);
        EXPECT_LE(tables, estimate.held.held());
        EXPECT_GE(2 * tables, estimate.held.held());
        EXPECT_LE(held, estimate.with_work(work).peak());
        EXPECT_EQ(kernels::device_usage().peak - before, held);
        if (work >= estimate.min_work()) {
          EXPECT_LE(arrays, 2 * work);
        }
        EXPECT_EQ(memory.kept_orders == 151, work >= (Index{1} << 24)) << work;
        some_kept = some_kept || (memory.kept_orders > 0 && memory.kept_orders < 151);
      }
  EXPECT_TRUE(some_kept);
}

}  // namespace
}  // namespace armilla::backend
