#pragma once

#include <kernels/legendre/pair_recurrence.hpp>

namespace armilla::kernels {

/// Which own m, pairs and fields a block works on; blocks of one m follow each other, those of the first, most expensive
/// m first.
struct BlockWork {
  Index k, block, first_field;

  HOST_DEVICE static BlockWork of(const ScalarStage& stage, const PairSection& section, const FieldGroups& groups,
                                  Index number) {
    const Index item = number / groups.groups;
    return {stage.k_begin + item / section.blocks, item % section.blocks,
            groups.first + number % groups.groups * groups.together};
  }
};

/// Pairs of a lane of a warp: p-th pair is first + 32 p + lane. Lanes without a pair go with the nearest one that has
/// work, so that they hold nobody back; real(pair) is false for them.
struct LanePairs {
  Index warp_begin, begin, end;

  HOST_DEVICE LanePairs(const ScalarStage& stage, const PairSection& section, const BlockWork& work, int warp)
      : warp_begin(section.block_begin(work.block) + static_cast<Index>(warp) * kWarp * section.pairs_per_thread),
        begin(section.block_begin(work.block)),
        end(section.block_end(work.block)) {
    const Index first = stage.orders.first_pair[work.k];
    if (begin < first) begin = first;
  }

  HOST_DEVICE bool idle(int pairs_per_thread) const {
    return warp_begin >= end || warp_begin + kWarp * pairs_per_thread <= begin;
  }
  HOST_DEVICE Index place(int p, int lane) const { return warp_begin + kWarp * p + lane; }
  HOST_DEVICE bool real(Index pair) const { return pair >= begin && pair < end; }
  HOST_DEVICE Index nearest(Index pair) const { return pair < begin ? begin : pair < end ? pair : end - 1; }
};

/// Starts the recurrences of a lane; returns nothing where the warp is idle.
template <RecurrenceForm kForm, int P>
HOST_DEVICE inline void start_recurrence(const ScalarStage& stage, Index k, const LanePairs& pairs, int lane,
                                         PairRecurrence<kForm, P>& recurrence) {
  const Index m = stage.orders.m[k];
  unrolled<P>([&]<int p>() {
    const Index pair = pairs.nearest(pairs.place(p, lane));
    recurrence.start(p, stage.pairs.variable[pair], start_value(stage.pairs, m, pair));
  });
}

/// What all lanes of a warp agree on after a look. Lanes have a member `recurrence`.
template <class Warp>
HOST_DEVICE inline WarpProgress progress_of(Warp& warp) {
  if (!warp.any([](const auto& lane, int) { return lane.recurrence.any_counts(); })) return WarpProgress::kSkip;
  if (warp.any([](const auto& lane, int) { return lane.recurrence.any_below(); })) return WarpProgress::kSome;
  return WarpProgress::kAll;
}

}  // namespace armilla::kernels
