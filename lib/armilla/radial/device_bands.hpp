#pragma once

#include <armilla/backend/device_estimate.hpp>
#include <armilla/radial/convolution_target.hpp>

#include <vector>

namespace armilla::radial {

/// Rings of the results that a device computes together, and the rings of the input that they need.
struct DeviceBand {
  std::vector<RowPlan> plans;  ///< [target] for the pairs of the band
  RowPlan::PairRange needed;
};

/// Device memory needed by the bands of a rank.
struct BandMemory {
  backend::WorkSpace bands;         ///< minimum: bands of one group of rings; maximum: one band with all rings
  Index tables = 0;                 ///< for all rings: tables that the host builds for the device
  backend::DeviceEstimate rings{};  ///< for the ring FFTs of all rings
};

/// Divides the rings of a rank into bands. Keeps references to the grids.
class DeviceBands {
 public:
  DeviceBands(const dist::PixelDistribution& in, const std::vector<ConvolutionTarget>& targets, int rank);

  /// For `fields` fields with elements of `bytes_of_real` bytes.
  BandMemory memory(Index fields, Index bytes_of_real) const;
  /// Divides the rings into bands of about equal size that take at most `bytes`. Their number is the smallest
  /// sufficient power of two, or the largest possible number of bands. Returns no bands if there are no rings.
  std::vector<DeviceBand> within(Index bytes, Index fields, Index bytes_of_real) const;

 private:
  std::vector<DeviceBand> split(Index parts) const;
  Index most_parts() const;

  const grid::RingGrid& in_;
  const std::vector<ConvolutionTarget>& targets_;
  std::vector<RowPlan::PairRange> own_;  // [target]
};

/// Number of pixels in a range of pairs.
Index pixels_of(const grid::RingGrid& grid, RowPlan::PairRange pairs);

}  // namespace armilla::radial
