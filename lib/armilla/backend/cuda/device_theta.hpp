#pragma once

#include <armilla/backend/cuda/column_fft.hpp>
#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/theta_tables.hpp>
#include <armilla/backend/scalar_stage_shape.hpp>
#include <armilla/legendre/task.hpp>
#include <armilla/resample/theta_resampler.hpp>

#include <complex>
#include <memory>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/theta/theta_task.hpp>

namespace armilla::backend {

/// Resampling in theta on the current device. Transforms Delta of all local m of a rank from the source rings of a
/// resample::ThetaResampler to the rings of a task, and the transpose. Columns (local m, component, map) are processed
/// in chunks. The chunk size depends on lmax, and is smaller only if work_bytes requires it; the number of FFTs per
/// call is fixed. Everything is in double for any T. Sums are in an order that depends only on lmax and the task.
/// Arrays are on the device: source has the layout [local m][source pair][north, south][component, map] (SourceRings),
/// delta that of the task.
template <class T>
class DeviceTheta {
 public:
  /// The targets of `resampler` are the pairs of the task. Copies the tables of both, which need not outlive this
  /// object, and waits for the copies. Throws ResourceError if `work_bytes` cannot hold fft_columns() columns, or if
  /// the device has too little memory.
  DeviceTheta(const legendre::Task& task, const resample::ThetaResampler& resampler, const MakeColumnFft& make_fft,
              Index work_bytes, const kernels::Stream& stream);

  /// source -> delta of the local m `orders` at all rings to which they contribute; does not touch the rest of delta.
  void to_rings(const OrderRange& orders, DevicePointer<const std::complex<double>> source,
                DevicePointer<std::complex<T>> delta, const kernels::Stream& stream);
  /// The transpose: delta -> source, for all source rings of these m.
  void to_source(const OrderRange& orders, DevicePointer<const std::complex<T>> delta,
                 DevicePointer<std::complex<double>> source, const kernels::Stream& stream);
  /// Number of columns of a chunk.
  Index chunk() const { return chunk_; }

 private:
  ThetaTables tables_;
  ColumnSizes columns_;
  Index chunk_;
  std::unique_ptr<ColumnFft> source_fft_;
  std::unique_ptr<ColumnFft> fine_fft_;
  kernels::DeviceBuffer<std::complex<double>> source_sequence_;  ///< [column of a chunk][source ring]
  kernels::DeviceBuffer<std::complex<double>> fine_sequence_;    ///< [column of a chunk][ring of the fine grid]
};

}  // namespace armilla::backend
