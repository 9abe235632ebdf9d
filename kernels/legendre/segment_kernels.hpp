#pragma once

#include <kernels/core/stream.hpp>
#include <kernels/core/team.hpp>
#include <kernels/legendre/segment_stage.hpp>

namespace armilla::kernels {

/// Launchers of the Legendre stage by segments, for the local m of a stage. All work is in stream order. They throw
/// ResourceError if CUDA rejects the launch, and InternalError for a number of fields together other than 1, 2, 4 and
/// 8. The last group of fields may have fewer; those after the stage's last one are omitted.

/// First steps and seeds of all groups; from the rows.
void launch_segment_seeds(const DeviceSegmentStage& stage, StreamHandle stream);
/// As launch_scalar_synthesis.
void launch_segment_synthesis(const DeviceSegmentStage& stage, const FieldGroups& groups,
                              const DeviceDeltaNumbers& delta, StreamHandle stream);
/// Delta of some fields -> the sums of each group.
void launch_segment_adjoint(const DeviceSegmentStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                            StreamHandle stream);
/// The sums of each group -> the partial sums of the scalar stage, as those of a single block of pairs, all fields.
void launch_segment_totals(const DeviceSegmentStage& stage, StreamHandle stream);

}  // namespace armilla::kernels
