#pragma once

#include <kernels/core/team.hpp>
#include <kernels/legendre/segment_stage.hpp>

namespace armilla::kernels {

/// The first step at which each pair of a group contributes; the number of steps if none does.
template <int kThreads>
struct SeedsShared {
  Index first[kThreads];
  bool lost[kThreads];
};

template <RecurrenceForm kForm>
struct SeedsLane {
  PairRecurrence<kForm, 1> recurrence;
};

/// The first step of each m and group, and the seeds of its segments, without scales. The recurrence is that of the
/// other kernels, bit for bit. A group whose seeds would be too small for a double gets a negative first step.
template <RecurrenceForm kForm>
struct SeedsBody {
  static constexpr int kThreads = kForm == RecurrenceForm::kEquator ? kWarp : kGroupPairs;
  using Lane = SeedsLane<kForm>;
  using Shared = SeedsShared<kThreads>;
  using Recurrence = PairRecurrence<kForm, 1>;

  SegmentStage stage;
  Index blocks;  ///< SegmentWork::blocks for one group of fields

  GridSize grid() const { return {blocks}; }
  template <class Team>
  HOST_DEVICE void run(Team& team, BlockIndex block) const {
    const SegmentWork work = SegmentWork::of(stage, kForm, {0, 1, 1}, block.x);
    if (work.idle()) return;
    const Index steps = stage.scalar.steps(work.k);
    const Two* rows = stage.scalar.rows_of(work.pairs.rows, work.k);
    team.each([&](Lane& lane, int thread) {
      Shared& shared = team.shared();
      shared.lost[thread] = false;
      shared.first[thread] = steps;
      if (!work.real(thread)) return;
      start(lane.recurrence, work, thread);
      Index k = 0;
      while (k < steps && !lane.recurrence.any_counts()) {
        advance(lane.recurrence, rows, k);
        k += 2;
      }
      shared.first[thread] = k;
    });
    team.barrier();
    team.each([&](Lane& lane, int thread) {
      Index first = steps;
      for (int i = 0; i < kThreads; ++i) first = team.shared().first[i] < first ? team.shared().first[i] : first;
      const Segments segments = Segments::of(first, steps);
      Two* seeds = stage.seeds_of(work.k, work.group) + thread;
      if (work.real(thread)) {
        start(lane.recurrence, work, thread);
        team.shared().lost[thread] = store_all(lane.recurrence, rows, segments, work.pairs.slots, seeds);
      } else if (thread < work.pairs.slots) {
        for (int s = 0; s < kSegments; ++s) seeds[s * work.pairs.slots] = {0, 0};
      }
    });
    team.barrier();
    team.each([&](Lane&, int thread) {
      if (thread != 0) return;
      const Shared& shared = team.shared();
      Index first = steps;
      bool lost = false;
      for (int i = 0; i < kThreads; ++i) {
        first = shared.first[i] < first ? shared.first[i] : first;
        lost = lost || shared.lost[i];
      }
      stage.first_step[work.k * stage.all_groups + work.group] = lost ? Index{-1} : first;
    });
  }

 private:
  HOST_DEVICE void start(Recurrence& recurrence, const SegmentWork& work, Index slot) const {
    const Index pair = work.pair(slot);
    const PairNumbers& pairs = stage.scalar.pairs;
    recurrence.start(0, pairs.variable[pair], start_value(pairs, stage.scalar.orders.m[work.k], pair));
  }

  // Two steps.
  HOST_DEVICE static void advance(Recurrence& recurrence, const Two* rows, Index k) {
    const Two* row = rows + k * Recurrence::kRowSize;
    recurrence.template advance<false>(row);
    recurrence.template advance<true>(row + Recurrence::kRowSize);
    if (is_look(k + 2)) recurrence.rescale();
  }

  // Stores the seeds of all segments. Returns whether one of them is too small although the pair contributes before the
  // end of the long segment that starts there.
  HOST_DEVICE static bool store_all(Recurrence& recurrence, const Two* rows, const Segments& segments, Index slots,
                                    Two* seeds) {
    bool any_lost = false;
    bool small = false;
    int next = 0;
    for (Index k = 0; k <= segments.steps; k += 2) {
      while (next < kSegments && (segments.begin(next) == k || k >= segments.steps)) {
        any_lost = any_lost || (small && recurrence.scale[0] == 0);
        if (next % 2 == 0) small = is_small(recurrence);
        seeds[next * slots] = k < segments.steps ? seed(recurrence) : Two{0, 0};
        ++next;
      }
      if (k < segments.steps) advance(recurrence, rows, k);
    }
    return any_lost || (small && recurrence.scale[0] == 0);
  }

  // Below 2^-900, where a value times 2^-800 would have fewer digits.
  HOST_DEVICE static bool is_small(const Recurrence& recurrence) {
    return recurrence.scale[0] < -1 || (recurrence.scale[0] == -1 && !(std::fabs(recurrence.value[0]) > 0x1p-100));
  }
  HOST_DEVICE static Two seed(const Recurrence& recurrence) {
    const double factor = recurrence.scale[0] == 0 ? 1.0 : recurrence.scale[0] == -1 ? 0x1p-800 : 0.0;
    return {factor * recurrence.value[0], factor * recurrence.other[0]};
  }
};

}  // namespace armilla::kernels
