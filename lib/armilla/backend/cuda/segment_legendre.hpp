#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_tables.hpp>
#include <armilla/backend/cuda/pair_stage.hpp>
#include <armilla/backend/cuda/segment_shape.hpp>
#include <armilla/backend/cuda/side_stream.hpp>
#include <armilla/backend/scalar_stage_tables.hpp>

#include <complex>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// The Legendre stage by segments of the steps of each m, on FP64 tensor cores: an alternative to DeviceLegendre with
/// the same task and layouts, and with sums in double. Each Delta_m(ring) and each a_lm is summed in an order that
/// depends only on lmax and the pairs of the grid, for any number of maps.
template <class T>
class SegmentLegendre final : public PairStage<T> {
 public:
  using Complex = std::complex<T>;

  /// Copies the tables of the task and waits for the copies; the spans of the task need not outlive this object.
  /// `work_bytes`: for each workspace of SegmentShape::memory. Computes the seeds of all local m. Throws ResourceError
  /// if the device has too little memory, and InternalError if the pairs of a group start to contribute at steps that
  /// are too different.
  SegmentLegendre(const legendre::Task& task, Index work_bytes, const kernels::Stream& stream);

  void synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta,
                 const kernels::Stream& stream) override;
  void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm,
               const kernels::Stream& stream) override;

  /// The stage of a range, with rows and seeds, for tests.
  kernels::DeviceSegmentStage prepared(const OrderRange& range, const kernels::Stream& stream, Index place = 0);
  const SegmentShape& shape() const { return shape_; }

 private:
  /// With rows, seeds and scratch of a range, where those that are not kept start at a place of the workspace.
  kernels::DeviceSegmentStage stage_of(const OrderRange& range, Index place = 0);
  void check_seeds(const kernels::Stream& stream);

  SegmentShape shape_;
  ScalarStageTables scalar_tables_;
  SegmentShape::Memory memory_;
  DeviceTables arrays_;
  kernels::DeviceSegmentStage plain_{};  ///< of all local m, without rows, seeds and scratch
  kernels::DeviceBuffer<Index> first_step_;
  kernels::DeviceBuffer<kernels::Two> kept_, work_;
  /// Adds the sums of a range of the adjoint while those of the next one are computed. For each half of the workspace,
  /// marks of the sums and of the results of its range.
  SideStream beside_;
  kernels::Event summed_[2], stored_[2];
};

/// Stages by segments in both precisions.
PairStageMakers segment_makers();

}  // namespace armilla::backend
