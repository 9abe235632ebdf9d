#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_tables.hpp>
#include <armilla/backend/point_engine.hpp>

#include <memory>
#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/nufft/nufft_kernels.hpp>

namespace armilla::backend {

/// Sums at points on a GPU. Interpolation is one kernel. Spreading sums the points of each cell in shared memory, in
/// order, and adds cells to the rows colour by colour. Cells with several chunks come first. Their chunk sums are added
/// to the rows chunk by chunk, as many at once as fit in `work_bytes`. This number does not affect the sums.
template <class T>
class CudaPointEngine final : public PointEngine<T> {
 public:
  /// On the current device. The stream must outlive it.
  CudaPointEngine(const PointTables<T>& tables, Index work_bytes, const kernels::Stream& stream,
                  const kernels::NufftKernels<T>& kernels = {});

  void interpolate(const T* fields, T* beside, T* values) override;
  void spread(const T* values, T* fields, T* beside) override;

 private:
  /// Part of a table on the device.
  struct Range {
    Index begin, count;
  };
  /// Chunks whose sums are in memory at the same time, and their cells, by colour.
  struct Batch {
    Range chunks;
    std::vector<Range> cells;
  };

  void plan_spreading(const PointTables<T>& tables, Index work_bytes);
  static std::shared_ptr<const kernels::NufftPoint<T>> upload_points(const PointTables<T>& tables,
                                                                     const kernels::Stream& stream);
  DevicePointer<const kernels::NufftPoint<T>> points() const { return DevicePointer(points_.get()); }
  template <class Number>
  kernels::NufftRowsOf<DevicePointer, Number> rows(Number* fields, T* beside) const;
  kernels::DeviceNufftMirrors<T> mirrors(T* fields, T* beside) const;
  void add_points(const Range& chunks, DevicePointer<const T> values,
                  const kernels::NufftRowsOf<DevicePointer, T>& rows, DevicePointer<T> sums);

  const kernels::Stream& stream_;
  kernels::NufftKernels<T> kernels_;
  kernels::NufftWindow<T> window_;
  Index columns_, field_size_, beside_size_, values_, fields_;
  DeviceTables tables_;
  DevicePointer<const Index> places_;
  DevicePointer<const kernels::NufftMirror> mirrors_;
  Index mirror_count_;
  DevicePointer<const int> odd_;
  std::shared_ptr<const kernels::NufftPoint<T>> points_;
  DevicePointer<const kernels::NufftChunk> chunks_;  ///< in the order of the tables
  Index chunk_count_;
  /// Chunks of batches, then chunks of single-chunk cells by colour.
  DevicePointer<const kernels::NufftChunk> spread_chunks_;
  DevicePointer<const kernels::NufftSums> cells_;
  std::vector<Batch> batches_;
  std::vector<Range> colours_;  ///< of cells with one chunk
  kernels::DeviceBuffer<T> sums_;
};

}  // namespace armilla::backend
