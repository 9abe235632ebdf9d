#include <kernels/legendre/segment_kernels.cuh>

namespace armilla::kernels {

void launch_segment_adjoint(const DeviceSegmentStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                            StreamHandle stream) {
  launch_segment_kernels<SegmentAdjointBody>(stage, groups, delta, stream);
}

}  // namespace armilla::kernels
