#pragma once

#include <complex>

#include <kernels/core/stream.hpp>
#include <kernels/core/team.hpp>
#include <kernels/legendre/scalar_stage.hpp>
#include <kernels/legendre/tuning.hpp>

namespace armilla::kernels {

/// Maximum threads per block; twice as many for the adjoint by tensor cores.
inline constexpr int kMaxThreads = 128;

/// Blocks of one launch for some fields.
template <template <class> class Pointer>
unsigned block_count(const ScalarStageOf<Pointer>& stage, const FieldGroups& groups) {
  const Index blocks = (stage.k_end - stage.k_begin) * stage.pair_blocks.count * groups.groups;
  check_grid({blocks}, stage.pair_blocks.threads);
  return static_cast<unsigned>(blocks);
}

/// Maximum numbers for the blocks of pairs of a variant of the kernels on CUDA cores.
struct PairLimits {
  int synthesis_pairs, synthesis_threads;  ///< pairs per thread, threads per block
  int adjoint_pairs;

  template <class Variant>
  static constexpr PairLimits of() {
    return {Variant::kSynthesisPairs, Variant::kSynthesisTiles == Tiles::kOfWarp ? kWarp : kMaxThreads,
            Variant::kAdjointPairs};
  }
};

/// Launchers of the Legendre stage by the scalar recurrence, for the local m of a stage. All work is in stream order.
/// They throw ResourceError if CUDA rejects the launch, and InternalError for a number of pairs per thread or of fields
/// without a kernel (ScalarChoices).

/// Rows of the recurrences, for the kinds for which the stage has memory.
void launch_rows(const DeviceScalarStage& stage, StreamHandle stream);
/// alm -> the stage's coefficients, all fields.
template <class T>
void launch_load(const DeviceScalarStage& stage, DevicePointer<const std::complex<T>> alm, StreamHandle stream);
/// One variant of synthesis and adjoint on CUDA cores.
struct ScalarKernels {
  using Launcher = void (*)(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                            StreamHandle stream);
  PairLimits limits;
  /// Coefficients -> Delta of some fields; overwrites Delta at the stage's pairs to which m contributes, and nothing
  /// else.
  Launcher synthesis;
  /// Delta of some fields -> partial sums.
  Launcher adjoint;
};
/// The variant of jobs (Production).
const ScalarKernels& scalar_kernels();
/// Synthesis and adjoint on FP64 tensor cores, with sums in double. The last group may have fewer fields; those after
/// the stage's last one are omitted. Blocks of the equator form run in a stream of their own.
void launch_tensor_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                             StreamHandle stream, StreamHandle of_equator);
void launch_tensor_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                           StreamHandle stream, StreamHandle of_equator);
/// Partial sums -> alm, m .. lmax of each local m, all fields; overwrites it.
template <class T>
void launch_store(const DeviceScalarStage& stage, DevicePointer<std::complex<T>> alm, StreamHandle stream);

}  // namespace armilla::kernels
