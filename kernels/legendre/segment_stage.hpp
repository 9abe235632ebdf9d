#pragma once

#include <kernels/legendre/pair_recurrence.hpp>
#include <kernels/legendre/scalar_stage.hpp>

namespace armilla::kernels {

// The Legendre stage with recurrences over segments of the steps of an m. Each lane of a warp runs its own recurrences
// from stored start values (seeds), and already holds its part of the matrices that tensor cores multiply.

/// Segments of equal length into which the steps of an m and a group of pairs are divided. The synthesis joins every
/// two of them, one for each index that a product sums over.
inline constexpr int kSegments = 8;
inline constexpr int kLongSegments = 4;

/// Maximum pairs per group, for two terms and for the equator form; and the multiples to which they are rounded up.
inline constexpr int kGroupPairs = 128;
inline constexpr int kGroupUnit = 32;
inline constexpr int kEquatorPairs = 16;

/// Pairs begin .. end - 1, whose recurrences have common segments. `slots`: number of pairs rounded up.
struct SegmentGroup {
  RowKind rows;
  Index begin, end;
  Index slots;
  Index first_slot;  ///< slots of all preceding groups
};

/// The segments of an m and a group: `length` steps each, an even number, starting at step `first`, the first one at
/// which any of the pairs contributes. The last segments may end after the last step, or start there.
struct Segments {
  Index first, length, steps;

  HOST_DEVICE static Segments of(Index first, Index steps) {
    constexpr Index kUnit = 2 * kSegments;
    return {first, (steps - first + kUnit - 1) / kUnit * 2, steps};
  }
  HOST_DEVICE Index begin(int segment) const { return first + segment * length; }
};

/// The local m of a range, all groups of pairs, and their seeds and sums. Only groups to which m contributes have any:
/// first_group and those after it.
template <template <class> class Pointer>
struct SegmentStageOf {
  ScalarStageOf<Pointer> scalar;       ///< without blocks of pairs
  Pointer<const SegmentGroup> groups;  ///< of two terms, then of the equator form
  Index two_term_groups, all_groups;   ///< their numbers
  Pointer<const Index> first_group;    ///< [local m]
  Pointer<const Index> first_slot;     ///< [local m, and the end] slots of the groups of all preceding local m
  Pointer<const Index> first_sum;      ///< [local m, and the end] likewise steps times groups
  Pointer<Index> first_step;           ///< [local m][group] Segments::first
  Pointer<Two> seeds;                  ///< [local m of these][group][segment][slot] value and other of a recurrence
  Pointer<Two> sums;                   ///< [local m of these][group][field][step] as ScalarStage::partial_sums

  HOST_DEVICE Segments segments(Index k, Index group) const {
    return Segments::of(first_step[k * all_groups + group], scalar.steps(k));
  }
  HOST_DEVICE Two* seeds_of(Index k, Index group) const {
    return seeds + kSegments * (first_slot[k] - first_slot[scalar.k_begin] + groups[group].first_slot -
                                groups[first_group[k]].first_slot);
  }
  /// Place of the first of the sums.
  HOST_DEVICE Index first_sum_of(Index k, Index group) const {
    return 2 * scalar.fields() *
           (first_sum[k] - first_sum[scalar.k_begin] + (group - first_group[k]) * scalar.steps(k));
  }
};
using SegmentStage = SegmentStageOf<KernelPointer>;
using DeviceSegmentStage = SegmentStageOf<DevicePointer>;

/// Arguments of the kernels over groups of pairs.
template <template <class> class Pointer>
struct SegmentArgumentsOf {
  SegmentStageOf<Pointer> stage;
  FieldGroups groups;
  DeltaNumbersOf<Pointer> delta;
};
using SegmentArguments = SegmentArgumentsOf<KernelPointer>;

/// Local m, group of pairs and fields of a block: [local m][group][group of fields].
struct SegmentWork {
  Index k, group;
  Index first_field;
  SegmentGroup pairs;
  Index begin;  ///< m does not contribute to pairs of the group before this one

  HOST_DEVICE static SegmentWork of(const SegmentStage& stage, RecurrenceForm form, const FieldGroups& fields,
                                    Index number) {
    // As in BlockWork::of.
    const bool equator = form == RecurrenceForm::kEquator;
    const Index first = equator ? stage.two_term_groups : 0;
    const auto groups = static_cast<unsigned>(equator ? stage.all_groups - first : stage.two_term_groups);
    const auto all = static_cast<unsigned>(number);
    const auto of_fields = static_cast<unsigned>(fields.groups);
    const unsigned item = all / of_fields;
    SegmentWork work{stage.scalar.k_begin + item / groups,
                     first + item % groups,
                     fields.first + static_cast<Index>(all % of_fields) * fields.together,
                     {},
                     0};
    work.pairs = stage.groups[work.group];
    const Index first_pair = stage.scalar.orders.first_pair[work.k];
    work.begin = work.pairs.begin < first_pair ? first_pair : work.pairs.begin;
    return work;
  }
  static Index blocks(const DeviceSegmentStage& stage, RecurrenceForm form, Index field_groups) {
    const Index groups =
        form == RecurrenceForm::kEquator ? stage.all_groups - stage.two_term_groups : stage.two_term_groups;
    return (stage.scalar.k_end - stage.scalar.k_begin) * groups * field_groups;
  }

  /// Whether m contributes to no pair of the group.
  HOST_DEVICE bool idle() const { return begin >= pairs.end; }
  /// Likewise of `count` slots.
  HOST_DEVICE bool idle(Index slot, int count) const {
    const Index pair = pairs.begin + slot;
    return pair >= pairs.end || pair + count <= begin;
  }
  /// Whether a slot has a pair to which m contributes, and that pair or the nearest one.
  HOST_DEVICE bool real(Index slot) const { return pairs.begin + slot >= begin && pairs.begin + slot < pairs.end; }
  HOST_DEVICE Index pair(Index slot) const {
    const Index own = pairs.begin + slot;
    return own < begin ? begin : own < pairs.end ? own : pairs.end - 1;
  }
  /// As BlockWork::real_field.
  HOST_DEVICE Index real_field(const SegmentStage& stage, int g) const {
    const Index field = first_field + g;
    return field < stage.scalar.fields() ? field : stage.scalar.fields() - 1;
  }
};

/// What all threads of a block need for each tile. It is in shared memory, because registers are few.
struct SegmentBlock {
  Index rows;                ///< place of the first row of m
  Index coefficients;        ///< place of the first coefficient of the first field of the block
  Index sums;                ///< likewise of the sums of the group
  int steps, first, length;  ///< Segments
  int fields;                ///< of the block that exist

  HOST_DEVICE int begin(int segment) const { return first + segment * length; }

  HOST_DEVICE static SegmentBlock of(const SegmentStage& stage, const SegmentWork& work, int fields) {
    const Segments segments = stage.segments(work.k, work.group);
    const Index left = stage.scalar.fields() - work.first_field;
    const Index first_field = 2 * work.first_field * segments.steps;
    return {stage.scalar.first_step(work.k),
            stage.scalar.field_begin(work.k, work.first_field),
            stage.first_sum_of(work.k, work.group) + first_field,
            static_cast<int>(segments.steps),
            static_cast<int>(segments.first),
            static_cast<int>(segments.length),
            left < fields ? static_cast<int>(left) : fields};
  }
};

/// Sets the recurrence of the p-th pair of a lane to the start of a segment; zeros for slots without a pair.
template <RecurrenceForm kForm, int P>
HOST_DEVICE inline void start_segment(const SegmentStage& stage, const SegmentWork& work, int segment, Index slot,
                                      int p, PairRecurrence<kForm, P>& recurrence) {
  recurrence.variable[p] = stage.scalar.pairs.variable[work.pair(slot)];
  const Two seed =
      slot < work.pairs.slots ? stage.seeds_of(work.k, work.group)[segment * work.pairs.slots + slot] : Two{0, 0};
  recurrence.value[p] = seed.a;
  recurrence.other[p] = seed.b;
}

}  // namespace armilla::kernels
