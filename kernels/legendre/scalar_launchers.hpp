#pragma once

#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::kernels {

/// Launch the kernels for G fields together, with sums in S. synthesis.cuh and adjoint.cuh define them for devices,
/// scalar_emulated.hpp for the emulated device. Those of Production are compiled in separate files.
template <int G, class S, class Variant>
void launch_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                      StreamHandle stream);
template <int G, class S, class Variant>
void launch_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                    StreamHandle stream);

/// The launchers of ScalarKernels for a variant.
template <class Variant>
void launch_scalar_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                             StreamHandle stream) {
  if (block_count(stage, groups) == 0) return;
  with_sums(stage.pair_blocks, [&]<class S>() {
    with_fields_of_synthesis<S>(groups,
                                [&]<int G>() { launch_synthesis<G, S, Variant>(stage, groups, delta, stream); });
  });
}

template <class Variant>
void launch_scalar_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                           StreamHandle stream) {
  if (block_count(stage, groups) == 0) return;
  with_sums(stage.pair_blocks, [&]<class S>() {
    with_fields<2, 1>(groups, [&]<int G>() { launch_adjoint<G, S, Variant>(stage, groups, delta, stream); });
  });
}

template <class Variant>
inline constexpr ScalarKernels kScalarKernels{PairLimits::of<Variant>(), &launch_scalar_synthesis<Variant>,
                                              &launch_scalar_adjoint<Variant>};

}  // namespace armilla::kernels
