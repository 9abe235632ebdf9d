#pragma once

#include <kernels/core/team.hpp>
#include <kernels/core/unrolled.hpp>
#include <kernels/legendre/segment_stage.hpp>

namespace armilla::kernels {

/// Adds the sums of the groups of pairs, in order, to the partial sums of a single block of pairs. One Two value per
/// thread; blocks: [local m][field][part of its values].
struct SegmentTotalsBody {
  static constexpr int kThreads = 256;

  SegmentStage stage;
  Index parts;

  explicit SegmentTotalsBody(const SegmentStage& stage_)
      : stage(stage_), parts((2 * stage_.scalar.max_steps + kThreads - 1) / kThreads) {}

  GridSize grid() const { return {(stage.scalar.k_end - stage.scalar.k_begin) * stage.scalar.fields() * parts}; }
  HOST_DEVICE void operator()(BlockIndex block, int thread) const {
    const ScalarStage& scalar = stage.scalar;
    const auto number = static_cast<unsigned>(block.x);
    const unsigned item = number / static_cast<unsigned>(parts);
    const Index k = scalar.k_begin + item / static_cast<unsigned>(scalar.fields());
    const Index field = item % static_cast<unsigned>(scalar.fields());
    const Index place = static_cast<Index>(number % static_cast<unsigned>(parts)) * kThreads + thread;
    const Index steps = scalar.steps(k);
    if (place >= 2 * steps) return;
    const Index first_group = stage.first_group[k];
    const Two* sums = stage.sums + stage.first_sum_of(k, first_group) + 2 * field * steps + place;
    const Index stride = 2 * steps * scalar.fields();
    const Index* first_step = stage.first_step + k * stage.all_groups;
    Two all{0, 0};
    // Several loads are in flight at once.
    constexpr int kTogether = 4;
    for (Index group = first_group; group < stage.all_groups; group += kTogether) {
      Two some[kTogether];
      unrolled<kTogether>([&]<int g>() {
        const bool exists = group + g < stage.all_groups && place / 2 >= first_step[group + g];
        some[g] = exists ? sums[g * stride] : Two{0, 0};
      });
      unrolled<kTogether>([&]<int g>() { all = {all.a + some[g].a, all.b + some[g].b}; });
      sums += kTogether * stride;
    }
    scalar.partial_sums[scalar.field_begin(k, field) + place] = all;
  }
};

}  // namespace armilla::kernels
