#pragma once

#include <kernels/legendre/segment_adjoint_body.hpp>
#include <kernels/legendre/segment_kernels.hpp>
#include <kernels/legendre/segment_seeds_body.hpp>
#include <kernels/legendre/segment_synthesis_body.hpp>
#include <kernels/legendre/segment_totals_body.hpp>

namespace armilla::kernels {

/// Blocks of a launch of a body over groups of pairs.
template <class Body>
Index segment_blocks(const DeviceSegmentStage& stage, const FieldGroups& groups) {
  const Index blocks = SegmentWork::blocks(stage, Body::kRecurrence, groups.groups);
  check_grid({blocks}, Body::kThreads);
  return blocks;
}

/// Calls launch.operator()<form>() for both forms of which a stage has groups.
template <class Launch>
void with_segment_forms(const DeviceSegmentStage& stage, const Launch& launch) {
  if (stage.scalar.k_begin >= stage.scalar.k_end) return;
  if (stage.two_term_groups > 0) launch.template operator()<RecurrenceForm::kTwoTerm>();
  if (stage.all_groups > stage.two_term_groups) launch.template operator()<RecurrenceForm::kEquator>();
}

}  // namespace armilla::kernels
