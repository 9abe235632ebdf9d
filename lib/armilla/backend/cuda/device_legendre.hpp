#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_tables.hpp>
#include <armilla/backend/cuda/pair_stage.hpp>
#include <armilla/backend/cuda/side_stream.hpp>
#include <armilla/backend/scalar_stage_tables.hpp>
#include <armilla/legendre/task.hpp>

#include <complex>
#include <optional>
#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::backend {

/// The Legendre stage of one rank on the current device by the scalar recurrence, spins 0 to 3. It covers the pairs of
/// a task that use this recurrence: those starting at legendre::PairParts::wigner. Recurrences are in double for any T.
/// Sums are in double, or short ones in float (precision). Each Delta_m(ring) and each a_lm is summed in an order that
/// depends on grid, layout and the use of tensor cores. Arrays are on the device, with the layout of the task.
template <class T>
class DeviceLegendre final : public PairStage<T> {
 public:
  using Complex = std::complex<T>;

  /// With `sums` in single precision, products are summed in float over at most 64 steps of synthesis, and over the
  /// pairs of a warp; these sums are added in double. Relative to rms the error is about 2e-7 at any lmax, and less
  /// than 1e-6 on any ring.
  ///
  /// Copies the tables of the task and waits for the copies; the spans of the task need not outlive this object.
  /// Processes local m in ranges whose rows, coefficients and partial sums fit in `work_bytes`, or one by one. If all
  /// local m fit, rows are computed here and kept. `scalar` are the kernels on CUDA cores. Throws ResourceError if the
  /// device has too little memory, and InternalError for tensor cores with sums in single precision.
  DeviceLegendre(const legendre::Task& task, core::Precision sums, Index work_bytes, const kernels::Stream& stream,
                 Products products = Products::kByTask,
                 const kernels::ScalarKernels& scalar = kernels::scalar_kernels());

  void synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta,
                 const kernels::Stream& stream) override;
  void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm,
               const kernels::Stream& stream) override;

 private:
  const ScalarStageShape& shape() const { return tables_.shape(); }
  kernels::DeviceScalarStage stage_of(const OrderRange& range);
  /// Calls work(stream of the equator form) for launches on tensor cores.
  template <class Work>
  void run_beside(const kernels::Stream& stream, const Work& work);
  void launch_synthesis(kernels::DeviceScalarStage& stage, const kernels::DeviceDeltaNumbers& delta,
                        const kernels::Stream& stream);
  void launch_adjoint(const kernels::DeviceScalarStage& stage, const kernels::DeviceDeltaNumbers& delta,
                      const kernels::Stream& stream);

  kernels::ScalarKernels scalar_;
  ScalarStageTables tables_;
  OrderRange all_;
  Index fields_;
  bool tensor_cores_;
  kernels::PairBlocks adjoint_blocks_;
  std::vector<OrderRange> synthesis_ranges_, adjoint_ranges_;
  bool rows_stay_;  ///< computed once if all local m are processed at once
  DeviceTables arrays_;
  kernels::DeviceScalarStage plain_;  ///< of all local m, without blocks of pairs and scratch
  kernels::DeviceBuffer<kernels::Two> work_;
  std::optional<SideStream> side_;  ///< if tensor cores are used and there are pairs at the equator
};

}  // namespace armilla::backend
