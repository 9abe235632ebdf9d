#pragma once

#include <kernels/legendre/segment_launchers.hpp>

/// The launchers of segment_kernels.hpp for seeds and totals. Include this in a file that defines launch_team.
namespace armilla::kernels {

void launch_segment_seeds(const DeviceSegmentStage& stage, StreamHandle stream) {
  with_segment_forms(stage, [&]<RecurrenceForm kForm>() {
    launch_team(SeedsBody<kForm>{in_kernel(stage), SegmentWork::blocks(stage, kForm, 1)},
                "seeds of the Legendre recurrences", stream);
  });
}

void launch_segment_totals(const DeviceSegmentStage& stage, StreamHandle stream) {
  launch_team(EachThread{SegmentTotalsBody(in_kernel(stage))}, "sums of groups of ring pairs", stream);
}

}  // namespace armilla::kernels
