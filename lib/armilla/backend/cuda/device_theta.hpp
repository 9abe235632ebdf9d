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

/// Resampling in theta on the current device: carries Delta of all own m of a rank from the source rings of a
/// resample::ThetaResampler to the rings of a task, and the transpose. Columns (own m, component, map) go through in
/// chunks of one size, which depends on lmax, unless work_bytes is less than that takes; FFTs always as many at a time.
/// All in double, whatever T is; sums in an order that depends on lmax and the task alone. Arrays are on the device:
/// source is laid out [own m][source pair][north, south][component, map] (SourceRings), delta as the task says.
template <class T>
class DeviceTheta {
 public:
  /// `resampler` has the pairs of the task as its targets. Copies the tables of both, which need not outlive this, and
  /// waits until they are there. Throws ResourceError where `work_bytes` do not hold fft_columns() of them, or the
  /// device has too little memory.
  DeviceTheta(const legendre::Task& task, const resample::ThetaResampler& resampler, const MakeColumnFft& make_fft,
              Index work_bytes, const kernels::Stream& stream);

  /// source -> delta of the own m `orders` at all rings that feel them; does not touch the rest of delta.
  void to_rings(const OrderRange& orders, DevicePointer<const std::complex<double>> source,
                DevicePointer<std::complex<T>> delta, const kernels::Stream& stream);
  /// The transpose: delta -> source, all of it that these m have.
  void to_source(const OrderRange& orders, DevicePointer<const std::complex<T>> delta,
                 DevicePointer<std::complex<double>> source, const kernels::Stream& stream);
  /// Columns of a chunk.
  Index chunk() const { return chunk_; }

 private:
  ThetaTables tables_;
  Index chunk_;
  std::unique_ptr<ColumnFft> source_fft_;
  std::unique_ptr<ColumnFft> fine_fft_;
  kernels::DeviceBuffer<std::complex<double>> source_sequence_;  ///< [column of a chunk][source ring]
  kernels::DeviceBuffer<std::complex<double>> fine_sequence_;    ///< [column of a chunk][ring of the fine grid]
};

}  // namespace armilla::backend
