#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/nufft/point_plan.hpp>
#include <armilla/points/device_sums.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::points {

/// Coordinates of points in device memory [rad]; |phi| is at most nufft::kLargestAngle.
struct DevicePositions {
  std::shared_ptr<backend::Memory> memory;
  std::shared_ptr<const double> theta, phi;  ///< [point]
  Index count = 0;

  /// Copies coordinates of the host; larger phi are reduced.
  static DevicePositions copy(std::shared_ptr<backend::Memory> memory, std::span<const double> theta,
                              std::span<const double> phi);
};

/// nufft::PointPlan on a device: points sorted by cells there, and a table of chunks.
template <class T>
class DevicePlan {
 public:
  /// Places points whose windows are in a band, with the context of the device. Throws InputError like
  /// nufft::PointPlan.
  DevicePlan(backend::Context<T>& context, const nufft::KernelChoice& choice, const nufft::Band& band,
             const DevicePositions& positions);

  /// Memory on the host: tables of cells and chunks.
  static core::MemoryEstimate memory(const nufft::KernelChoice& choice, const nufft::Band& band, Index points);

  /// All of its points; refers to this object.
  DevicePart<T> part() const;

 private:
  nufft::Band band_;
  nufft::KernelTable<T> table_;
  Index count_;
  std::vector<nufft::PointChunk> chunks_;
  std::shared_ptr<const kernels::NufftPoint<T>> points_;
};

}  // namespace armilla::points
