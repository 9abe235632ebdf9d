#pragma once

#include <kernels/core/check.hpp>
#include <kernels/legendre/pair_kernel.cuh>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>
#include <kernels/legendre/tensor_adjoint_body.hpp>
#include <kernels/legendre/tensor_synthesis_body.hpp>

namespace armilla::kernels {

// Enough blocks of kMaxThreads per multiprocessor that each scheduler has two warps: one multiplies while the other
// computes values.
template <class Body, int kThreads>
__global__ void __launch_bounds__(kThreads, 8 * kWarp / kThreads)
    tensor_kernel(const __grid_constant__ PairArguments arguments) {
  extern __shared__ __align__(16) unsigned char memory[];
  run_block<Body, DeviceTeam>(memory, arguments,
                              BlockWork::of(arguments.stage, arguments.groups, static_cast<Index>(blockIdx.x)));
}

template <class Body, int kThreads>
void launch_tensor_kernel(const PairArguments& arguments, StreamHandle stream, const char* what) {
  const int threads = arguments.stage.pair_blocks.threads;
  const std::size_t bytes = Body::Shared::bytes(threads);
  const auto kernel = tensor_kernel<Body, kThreads>;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)), what);
  kernel<<<block_count(arguments.stage, arguments.groups), threads, bytes, stream>>>(arguments);
  check_launch(what);
}

/// Launch the kernels for G fields together, one for each form.
template <int G>
void launch_tensor_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                             StreamHandle stream, StreamHandle of_equator) {
  with_pairs<ScalarChoices::kMaxTensorPairs>(stage.pair_blocks, [&]<int P>() {
    with_forms<P>(stage, [&]<RecurrenceForm kForm, int kPairs>(const DeviceScalarStage& some) {
      launch_tensor_kernel<TensorSynthesisBody<kForm, kPairs, G>, kMaxWarps * kWarp>(
          {in_kernel(some), groups, in_kernel(delta)}, stream_of<kForm>(stream, of_equator),
          "Legendre synthesis by tensor cores");
    });
  });
}
template <int G>
void launch_tensor_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                           StreamHandle stream, StreamHandle of_equator) {
  with_tensor_pairs_of_adjoint(stage.pair_blocks, delta, [&]<int P>() {
    with_forms<P>(stage, [&]<RecurrenceForm kForm, int kPairs>(const DeviceScalarStage& some) {
      launch_tensor_kernel<TensorAdjointBody<kForm, kPairs, G>, kMaxTensorWarps * kWarp>(
          {in_kernel(some), groups, in_kernel(delta)}, stream_of<kForm>(stream, of_equator),
          "Legendre adjoint by tensor cores");
    });
  });
}

}  // namespace armilla::kernels
