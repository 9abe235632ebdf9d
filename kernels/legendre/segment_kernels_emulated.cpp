#include <kernels/core/emulated_launch.hpp>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/segment_tables_launchers.hpp>

namespace armilla::kernels {

namespace {

template <class Body>
void run_segment_blocks(const SegmentArguments& arguments, Index blocks) {
  const HostOrder order = emulation().order;
  for_all(order, blocks, [&](Index number) {
    run_block(Body{arguments.stage, arguments.delta},
              SegmentWork::of(arguments.stage, Body::kRecurrence, arguments.groups, number), Body::kThreads, order);
  });
}

template <template <RecurrenceForm, int> class Body>
void launch_segment_kernels(const DeviceSegmentStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                            StreamHandle stream) {
  with_fields<8, 4, 2, 1>(groups, [&]<int G>() {
    with_segment_forms(stage, [&]<RecurrenceForm kForm>() {
      using Own = Body<kForm, G>;
      enqueue(stream, [arguments = SegmentArguments{in_kernel(stage), groups, in_kernel(delta)},
                       blocks = segment_blocks<Own>(stage, groups)] { run_segment_blocks<Own>(arguments, blocks); });
    });
  });
}

}  // namespace

void launch_segment_synthesis(const DeviceSegmentStage& stage, const FieldGroups& groups,
                              const DeviceDeltaNumbers& delta, StreamHandle stream) {
  launch_segment_kernels<SegmentSynthesisBody>(stage, groups, delta, stream);
}

void launch_segment_adjoint(const DeviceSegmentStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                            StreamHandle stream) {
  launch_segment_kernels<SegmentAdjointBody>(stage, groups, delta, stream);
}

}  // namespace armilla::kernels
