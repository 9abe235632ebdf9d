#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_tables.hpp>
#include <armilla/backend/scalar_stage_tables.hpp>
#include <armilla/legendre/task.hpp>

#include <complex>
#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// The Legendre stage of one rank on the current device by the scalar recurrence, spins 0 to 3, for those pairs of a
/// task that take it: from legendre::PairParts::wigner on. Recurrences are in double whatever T is; so are sums,
/// or short ones are in float (precision). Each Delta_m(ring) and each a_lm is summed in an order that depends on grid
/// and layout, and on whether tensor cores do it. Arrays are on the device, laid out as the task says.
template <class T>
class DeviceLegendre {
 public:
  using Complex = std::complex<T>;

  /// With `sums` in single precision, products are summed in float: over at most 64 steps of synthesis, and over the
  /// pairs of a warp; these sums are added in double. Relative to rms that costs some 2e-7 at any lmax, and less than
  /// 1e-6 on any ring.
  ///
  /// Copies the tables of the task, whose spans need not outlive this, and waits until they are there. Works through
  /// own m in ranges whose rows, coefficients and partial sums fit into `work_bytes`, or one by one; where all fit,
  /// rows are made here and stay. Throws ResourceError where the device has too little memory, InternalError for tensor
  /// cores with sums in single precision.
  DeviceLegendre(const legendre::Task& task, core::Precision sums, Index work_bytes, const kernels::Stream& stream,
                 Products products = Products::kByCampaign);

  /// Delta at the pairs that take the scalar recurrence, for those of the own m `orders` that they feel; does not touch
  /// the rest of delta.
  void synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta,
                 const kernels::Stream& stream);
  /// Sums over the rings of these pairs; overwrites all coefficients of these m, bitwise identical in any range.
  void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm,
               const kernels::Stream& stream);

 private:
  const ScalarStageShape& shape() const { return tables_.shape(); }
  kernels::DeviceScalarStage stage_of(const OrderRange& range);
  void launch_synthesis(kernels::DeviceScalarStage& stage, const kernels::DeviceDeltaNumbers& delta,
                        const kernels::Stream& stream);
  void launch_adjoint(const kernels::DeviceScalarStage& stage, const kernels::DeviceDeltaNumbers& delta,
                      const kernels::Stream& stream);

  ScalarStageTables tables_;
  OrderRange all_;
  Index fields_;
  bool tensor_cores_;
  kernels::PairBlocks adjoint_blocks_;
  std::vector<OrderRange> synthesis_ranges_, adjoint_ranges_;
  bool rows_stay_;  ///< made once, where all own m are worked on at once
  DeviceTables arrays_;
  kernels::DeviceScalarStage plain_;  ///< of all own m, without blocks of pairs and scratch
  kernels::DeviceBuffer<kernels::Two> work_;
};

}  // namespace armilla::backend
