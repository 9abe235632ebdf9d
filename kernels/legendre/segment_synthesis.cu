#include <kernels/legendre/segment_kernels.cuh>

namespace armilla::kernels {

void launch_segment_synthesis(const DeviceSegmentStage& stage, const FieldGroups& groups,
                              const DeviceDeltaNumbers& delta, StreamHandle stream) {
  launch_segment_kernels<SegmentSynthesisBody>(stage, groups, delta, stream);
}

}  // namespace armilla::kernels
