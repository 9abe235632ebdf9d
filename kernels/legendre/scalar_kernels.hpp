#pragma once

#include <complex>

#include <kernels/core/stream.hpp>
#include <kernels/core/team.hpp>
#include <kernels/legendre/scalar_stage.hpp>

namespace armilla::kernels {

/// Threads of a block at most; of the adjoint by tensor cores twice as many.
inline constexpr int kMaxThreads = 128;

/// Blocks of one launch for some fields.
template <template <class> class Pointer>
unsigned block_count(const ScalarStageOf<Pointer>& stage, const FieldGroups& groups) {
  const Index blocks = (stage.k_end - stage.k_begin) * stage.pair_blocks.count * groups.groups;
  check_grid({blocks}, stage.pair_blocks.threads);
  return static_cast<unsigned>(blocks);
}

/// Launchers of the Legendre stage by the scalar recurrence, for the own m of a stage. All work in the order of the
/// stream. Throw ResourceError where CUDA refuses the launch, InternalError
/// for a number of pairs per thread or of fields that no kernel was made for (ScalarChoices).

/// Rows of the recurrences, of those kinds that the stage has room for.
void launch_rows(const DeviceScalarStage& stage, StreamHandle stream);
/// alm -> the stage's coefficients, all fields.
template <class T>
void launch_load(const DeviceScalarStage& stage, DevicePointer<const std::complex<T>> alm, StreamHandle stream);
/// Coefficients -> Delta of some fields; overwrites what is there of the stage's pairs that feel m, and nothing else.
void launch_scalar_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                             StreamHandle stream);
/// Delta of some fields -> partial sums.
void launch_scalar_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                           StreamHandle stream);
/// The same two by FP64 tensor cores, sums in double. The last group may have fewer fields than go together: those
/// behind the stage's last one are left out.
void launch_tensor_synthesis(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                             StreamHandle stream);
void launch_tensor_adjoint(const DeviceScalarStage& stage, const FieldGroups& groups, const DeviceDeltaNumbers& delta,
                           StreamHandle stream);
/// Partial sums -> alm, m .. lmax of each own m, all fields; overwrites it.
template <class T>
void launch_store(const DeviceScalarStage& stage, DevicePointer<std::complex<T>> alm, StreamHandle stream);

}  // namespace armilla::kernels
