#pragma once

#include <armilla/backend/cuda/device_rings.hpp>
#include <armilla/backend/radial_tables.hpp>

#include <complex>
#include <optional>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// Convolution by rings on a GPU (Elsner & Wandelt 2011): ring FFTs, sums over rows in modes, inverse ring FFTs, and
/// sums over rows in pixels. Results are bitwise identical in every run, and for any fields at once.
class RadialStage {
 public:
  /// Tables and working space on the current device; ring FFTs take at most `work_bytes`. The options are those
  /// of the ring FFTs of the input and of the result. Throws ResourceError where the device has too little memory.
  RadialStage(const RadialTables& tables, Index work_bytes, const kernels::Stream& stream,
              const RingOptions& in_options = {}, const RingOptions& out_options = {});

  /// [field][pixel] -> [field][pixel], overwritten, in the order of the stream. One call at a time.
  void operator()(DevicePointer<const double> in, DevicePointer<double> out, const kernels::Stream& stream);

 private:
  Index fields_, in_pixels_, out_pixels_, modes_, table_cells_, max_nphi_ = 0;
  double table_cells_per_unit_, table_end_;
  kernels::DeviceBuffer<double> areas_, samples_, weights_, table_;
  kernels::DeviceBuffer<kernels::RadialPairGroup> groups_;
  kernels::DeviceBuffer<kernels::RadialRowGroup> rows_;
  kernels::DeviceBuffer<kernels::RadialPixelRing> pixel_rings_;
  kernels::DeviceBuffer<kernels::RadialPixelRow> pixel_rows_;
  kernels::DeviceBuffer<Index> in_shift_, out_shift_;
  kernels::DeviceBuffer<std::complex<double>> in_modes_, out_modes_;
  std::optional<DeviceRings<double>> in_rings_, out_rings_;
};

}  // namespace armilla::backend
