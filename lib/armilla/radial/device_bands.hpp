#pragma once

#include <armilla/backend/device_estimate.hpp>
#include <armilla/radial/convolution_target.hpp>

#include <vector>

namespace armilla::radial {

/// Rings of the results that a device makes together, and those of the input that they need.
struct DeviceBand {
  std::vector<RowPlan> plans;  ///< [target] for the pairs of the band
  RowPlan::PairRange needed;
};

/// Device memory that the bands of a rank need.
struct BandMemory {
  backend::WorkSpace bands;         ///< least: bands of one group of rings; most: one band of all rings
  Index tables = 0;                 ///< of all rings: what the host makes for the device
  backend::DeviceEstimate rings{};  ///< of the ring FFTs of all rings
};

/// The rings of a rank in bands. Refers to the grids.
class DeviceBands {
 public:
  DeviceBands(const dist::PixelDistribution& in, const std::vector<ConvolutionTarget>& targets, int rank);

  /// For `fields` fields of numbers of so many bytes.
  BandMemory memory(Index fields, Index bytes_of_real) const;
  /// In the least power of two of parts of about equal size that take at most `bytes`, or in as many as there can be;
  /// none without rings.
  std::vector<DeviceBand> within(Index bytes, Index fields, Index bytes_of_real) const;

 private:
  std::vector<DeviceBand> split(Index parts) const;
  Index most_parts() const;

  const grid::RingGrid& in_;
  const std::vector<ConvolutionTarget>& targets_;
  std::vector<RowPlan::PairRange> own_;  // [target]
};

/// Pixels of a range of pairs.
Index pixels_of(const grid::RingGrid& grid, RowPlan::PairRange pairs);

}  // namespace armilla::radial
