#pragma once

#include <armilla/backend/array_size.hpp>
#include <armilla/backend/device_estimate.hpp>
#include <armilla/legendre/task.hpp>

#include <complex>
#include <vector>

#include <kernels/theta/theta_task.hpp>

namespace armilla::backend {

/// Lengths of the sequences of columns in resampling: of the source, and of the fine grid.
struct ThetaLengths {
  Index source = 0;
  Index fine = 0;
};

/// Workspaces of the FFTs of columns, which pass through them in chunks.
struct ColumnSizes {
  Index longest = 0;             ///< determines the columns of each call and of a chunk
  std::vector<Index> sequences;  ///< [buffer] values of one column
  std::vector<Index> ffts;       ///< [FFT] its length

  /// Columns of a call of each FFT.
  Index call() const;
  /// Columns of a chunk. Throws ResourceError if `work_bytes` cannot hold those of a call.
  Index chunk(Index work_bytes) const;
  /// Of the buffers together, and of the FFTs together, each as large as the data of its call.
  std::vector<WorkSpace> work() const;

 private:
  Index bytes_per_column() const;
};

/// Arrays of ThetaTables; those with a circle if there is one. Those of interpolation do not exist if the rings are the
/// fine grid.
struct ThetaTableSizes {
  ThetaTableSizes(const legendre::Task& task, Index source_lmax, Index grid_lmax, Index fine_length, bool circle);

  ArraySize<Index> block_shift, north_slot, south_slot, first_pair, first_source;
  ArraySize<int> pair_block;
  ArraySize<double> sign, ring_factor, extra_share;
  ArraySize<std::complex<double>> source_twiddle, source_scaled, fine_twiddle, fine_scaled;
  ArraySize<int> first_point, entry_begin;  // of interpolation, with `weights` and `entries`
  ArraySize<double> weights;
  ArraySize<kernels::ThetaEntry> entries;

  template <class F>
  void visit(const F& f) const {
    for (const auto& size : {block_shift, north_slot, south_slot, first_pair, first_source}) f(size);
    for (const auto& size : {pair_block, first_point, entry_begin}) f(size);
    for (const auto& size : {sign, ring_factor, extra_share, weights}) f(size);
    for (const auto& size : {source_twiddle, source_scaled, fine_twiddle, fine_scaled}) f(size);
    f(entries);
  }
};

/// Sequences of DeviceTheta: of the source, and of the fine grid.
ColumnSizes theta_columns(const ThetaLengths& lengths);

/// Arrays of DeviceQuadrature besides ThetaTables, from fields up to `source_lmax` to rings of degree `grid_lmax`.
struct QuadratureSizes {
  QuadratureSizes(Index width, const ThetaLengths& lengths, Index source_lmax, Index grid_lmax);

  ArraySize<double> weights;
  ArraySize<std::complex<double>> product_twiddle, from_source, from_grid, to_source, to_grid, extra;
  ColumnSizes columns;  ///< sequences of the source or the fine grid, and of the product; FFTs of these three

  template <class F>
  void visit(const F& f) const {
    f(weights);
    for (const auto& size : {product_twiddle, from_source, from_grid, to_source, to_grid, extra}) f(size);
  }
};

/// Arrays of a resampled LegendreStage for fields in T, whose Delta on the source rings has `delta_size` values.
struct SourceSizes {
  ArraySize<std::complex<double>> delta, alm;  ///< alm: coefficients in double, none if T is double

  template <class T>
  static SourceSizes of(const legendre::Task& task, Index delta_size);

  template <class F>
  void visit(const F& f) const {
    f(delta);
    f(alm);
  }
};

}  // namespace armilla::backend
