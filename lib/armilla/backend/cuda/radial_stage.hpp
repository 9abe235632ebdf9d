#pragma once

#include <armilla/backend/cuda/device_rings.hpp>
#include <armilla/backend/radial_tables.hpp>

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// Convolution by rings on a GPU (Elsner & Wandelt 2011): ring FFTs, sums over rows in modes, inverse ring FFTs, and
/// sums over rows in pixels. Results are bitwise identical in every run, for any number of fields, and independent of
/// other targets.
class RadialStage {
 public:
  /// Allocates tables and workspace on the current device. The FFTs of the input, and of each result, use at most
  /// `work_bytes`. Throws ResourceError if the device has too little memory.
  RadialStage(const RadialTables& tables, Index work_bytes, const kernels::Stream& stream);

  /// [field][pixel] -> [field][pixel] of each target, overwritten, in stream order. One call at a time.
  void operator()(DevicePointer<const double> in, std::span<const DevicePointer<double>> out,
                  const kernels::Stream& stream);

 private:
  /// One result.
  class Target {
   public:
    Target(const RadialTables& tables, const RadialTables::Target& target, Index work_bytes,
           const kernels::Stream& stream);
    void sum_modes(DevicePointer<const Index> in_shift, DevicePointer<const std::complex<double>> in,
                   DevicePointer<double> out, const kernels::Stream& stream);
    void sum_pixels(DevicePointer<const double> in, DevicePointer<double> out, const kernels::Stream& stream) const;

   private:
    Index fields_, in_pixels_, out_pixels_, modes_, table_cells_, max_nphi_ = 0;
    double table_cells_per_unit_, table_end_;
    kernels::DeviceBuffer<double> samples_, weights_, table_;
    kernels::DeviceBuffer<kernels::RadialPairGroup> groups_;
    kernels::DeviceBuffer<kernels::RadialRowGroup> rows_;
    kernels::DeviceBuffer<kernels::RadialPixelRing> pixel_rings_;
    kernels::DeviceBuffer<kernels::RadialPixelRow> pixel_rows_;
    kernels::DeviceBuffer<Index> shift_;
    kernels::DeviceBuffer<std::complex<double>> modes_of_rings_;
    std::optional<DeviceRings<double>> rings_;
  };

  kernels::DeviceBuffer<double> areas_;
  kernels::DeviceBuffer<Index> shift_;
  kernels::DeviceBuffer<std::complex<double>> modes_;
  std::optional<DeviceRings<double>> rings_;
  std::vector<Target> targets_;
};

}  // namespace armilla::backend
