#pragma once

#include <kernels/legendre/pair_recurrence.hpp>
#include <kernels/legendre/sum_numbers.hpp>

namespace armilla::kernels {

/// Local m, pairs and fields of a block: [local m][block of pairs][group of fields]. The first m are the most
/// expensive, so their blocks come first.
struct BlockWork {
  Index k;
  Index block;  ///< of all sections
  const PairSection* section;
  Index first_field;
  int steps;  ///< of m

  HOST_DEVICE static BlockWork of(const ScalarStage& stage, const FieldGroups& groups, Index number) {
    const PairBlocks& blocks = stage.pair_blocks;
    // 32-bit integers are sufficient for block indices, and their divisions are ten times faster.
    const auto all = static_cast<unsigned>(number);
    const auto of_group = static_cast<unsigned>(groups.groups);
    const auto of_pairs = static_cast<unsigned>(blocks.count);
    const unsigned item = all / of_group;
    const unsigned block = static_cast<unsigned>(blocks.first) + item % of_pairs;
    int s = 0;
    while (block >= blocks.sections[s].first_block + blocks.sections[s].blocks) ++s;
    const Index k = stage.k_begin + item / of_pairs;
    return {k, block, &blocks.sections[s], groups.first + static_cast<Index>(all % of_group) * groups.together,
            static_cast<int>(stage.steps(k))};
  }

  HOST_DEVICE RecurrenceForm form() const {
    return section->rows == RowKind::kEquator ? RecurrenceForm::kEquator : RecurrenceForm::kTwoTerm;
  }
  HOST_DEVICE bool exact() const { return section->sums == core::Precision::kDouble; }
  HOST_DEVICE Index begin() const { return section->block_begin(block - section->first_block); }
  HOST_DEVICE Index end() const { return section->block_end(block - section->first_block); }
  /// The g-th field of the block, or the last field of all if there are fewer.
  HOST_DEVICE Index real_field(const ScalarStage& stage, int g) const {
    const Index field = first_field + g;
    return field < stage.fields() ? field : stage.fields() - 1;
  }
  /// Number of fields of the block, if there are `most` together.
  HOST_DEVICE int real_fields(const ScalarStage& stage, int most) const {
    const Index left = stage.fields() - first_field;
    return left < most ? static_cast<int>(left) : most;
  }
  /// Rotation of the warps of the block (rotated_warp). The last warps, with pairs next to the equator, have the most
  /// work.
  HOST_DEVICE int rotation(int warps) const {
    return static_cast<int>(static_cast<unsigned>(k) % static_cast<unsigned>(warps));
  }
  /// Whether m contributes to no pair of the block.
  HOST_DEVICE bool idle(const ScalarStage& stage) const { return end() <= stage.orders.first_pair[k]; }
};

/// Pairs of a lane of a warp: the p-th pair is first + 32 p + lane. Lanes without a pair duplicate the nearest one that
/// has work, so that they do not delay the warp; real(pair) is false for them.
struct LanePairs {
  Index warp_begin, begin, end;

  HOST_DEVICE LanePairs(const ScalarStage& stage, const BlockWork& work, int warp, int pairs_per_thread)
      : warp_begin(work.begin() + static_cast<Index>(warp) * kWarp * pairs_per_thread),
        begin(work.begin()),
        end(work.end()) {
    const Index first = stage.orders.first_pair[work.k];
    if (begin < first) begin = first;
  }

  /// Whether m contributes to no pair of the warp.
  HOST_DEVICE bool idle(int pairs_per_thread) const {
    return warp_begin >= end || warp_begin + kWarp * pairs_per_thread <= begin;
  }
  HOST_DEVICE Index place(int p, int lane) const { return warp_begin + kWarp * p + lane; }
  HOST_DEVICE bool real(Index pair) const { return pair >= begin && pair < end; }
  HOST_DEVICE Index nearest(Index pair) const { return pair < begin ? begin : pair < end ? pair : end - 1; }
};

/// Positions of the values of Delta at the rings of a pair, for field 0, and whether the pair is real and has the ring.
/// Positions are valid in any case, so that loads need no branch: those of an absent ring are those of the other ring.
struct DeltaPositions {
  Index pair;
  Index north, south;
  bool has_north, has_south;

  HOST_DEVICE DeltaPositions(const ScalarStage& stage, const BlockWork& work, const LanePairs& pairs, Index place)
      : pair(pairs.nearest(place)) {
    const bool real = pairs.real(place);
    const Index north_slot = stage.pairs.north_slot[pair];
    const Index south_slot = stage.pairs.south_slot[pair];
    const Index begin = stage.delta_begin(work.k, pair);
    has_north = real && north_slot >= 0;
    has_south = real && south_slot >= 0;
    north = begin + (north_slot >= 0 ? north_slot : south_slot) * stage.fields();
    south = begin + (south_slot >= 0 ? south_slot : north_slot) * stage.fields();
  }
};

/// Starts the recurrences of a lane; no effect if the warp is idle.
template <RecurrenceForm kForm, int P>
HOST_DEVICE inline void start_recurrence(const ScalarStage& stage, Index k, const LanePairs& pairs, int lane,
                                         PairRecurrence<kForm, P>& recurrence) {
  const Index m = stage.orders.m[k];
  unrolled<P>([&]<int p>() {
    const Index pair = pairs.nearest(pairs.place(p, lane));
    recurrence.start(p, stage.pairs.variable[pair], start_value(stage.pairs, m, pair));
  });
}

/// Common progress of all lanes of a warp after a check. Lanes have a member `recurrence`.
template <class Warp>
HOST_DEVICE inline WarpProgress progress_of(Warp& warp) {
  if (!warp.any([](const auto& lane, int) { return lane.recurrence.any_counts(); })) return WarpProgress::kSkip;
  if (warp.any([](const auto& lane, int) { return lane.recurrence.any_below(); })) return WarpProgress::kSome;
  return WarpProgress::kAll;
}

/// Sets the progress of a warp. When it first becomes kAll, values are converted to the scale of SumNumbers<S>.
template <class S, class Warp>
HOST_DEVICE inline void set_progress(Warp& warp, WarpProgress progress) {
  warp.each([&](auto& lane, int) {
    lane.progress = progress;
    if (SumNumbers<S>::kScale != 1 && progress == WarpProgress::kAll) lane.recurrence.multiply(SumNumbers<S>::kScale);
  });
}

/// Starts the recurrences of the P pairs of each lane of a warp and calls prepare(lane, its index, the pairs); a warp
/// becomes idle if m contributes to none of its pairs.
template <class S, int P, class Warp, class Prepare>
HOST_DEVICE inline void start_warp(const ScalarStage& stage, const BlockWork& work, Warp& warp,
                                   const Prepare& prepare) {
  const LanePairs pairs(stage, work, warp.index(), P);
  if (pairs.idle(P)) {
    warp.each([](auto& lane, int) { lane.progress = WarpProgress::kIdle; });
    return;
  }
  warp.each([&](auto& lane, int i) {
    start_recurrence(stage, work.k, pairs, i, lane.recurrence);
    prepare(lane, i, pairs);
  });
  set_progress<S>(warp, progress_of(warp));
}

/// Runs steps 0 .. steps - 1 in tiles of kSteps. start(begin) starts the copies of the tile beginning there, into two
/// buffers alternately. work(begin, end) is called when they are complete, while the next tile is being copied. It must
/// have a barrier of the team after its last read of the tile.
template <int kSteps, class Team, class Start, class Work>
HOST_DEVICE inline void each_tile(Team& team, int steps, const Start& start, const Work& work) {
  start(0);
  for (int begin = 0; begin < steps; begin += kSteps) {
    if (begin + kSteps < steps) {
      start(begin + kSteps);
      team.template wait_for_copies<1>();
    } else {
      team.template wait_for_copies<0>();
    }
    team.barrier();
    work(begin, begin + kSteps < steps ? begin + kSteps : steps);
  }
}

/// The rows of a block in global memory. This and TileSource are computed once per block: copies to shared memory keep
/// the compiler from reusing what it has loaded from global memory.
template <int kRowSize>
struct RowSource {
  const Two* rows;
  int steps;

  HOST_DEVICE static RowSource of(const ScalarStage& stage, const BlockWork& work) {
    return {stage.rows_of(work.section->rows, work.k), work.steps};
  }

  /// Starts the copies of the rows of a tile of kSteps steps; returns their number.
  template <int kSteps, class Team>
  HOST_DEVICE int start(Team& team, int begin, Two* to) const {
    const int count = begin + kSteps < steps ? kSteps : steps - begin;
    team.template start_copy<kSteps * kRowSize>(to, rows + begin * kRowSize, count * kRowSize);
    return count;
  }
};

/// The rows of a block and its coefficients of G fields in global memory, for sums in S. There may be fewer `fields`;
/// others duplicate the last one.
template <int kRowSize, int G, class S>
struct TileSource {
  static constexpr int kPieces = SumNumbers<S>::kPieces;
  RowSource<kRowSize> rows;
  const typename SumNumbers<S>::Piece* coefficients;
  int fields;

  HOST_DEVICE TileSource(const ScalarStage& stage, const BlockWork& work, int fields_)
      : rows(RowSource<kRowSize>::of(stage, work)),
        coefficients(stage.template coefficients_of<S>(work.k, work.first_field)),
        fields(fields_) {}

  /// Starts the copies of a tile that begins at step `begin`.
  template <class Team, class Tile>
  HOST_DEVICE void start(Team& team, int begin, Tile& tile) const {
    const int count = rows.template start<Tile::kSteps>(team, begin, tile.rows);
    for (int g = 0; g < G; ++g) {
      const int field = g < fields ? g : fields - 1;
      team.template start_copy<kPieces * Tile::kSteps>(
          tile.coefficients[g], coefficients + kPieces * (field * rows.steps + begin), kPieces * count);
    }
    team.end_copies();
  }
};

}  // namespace armilla::kernels
