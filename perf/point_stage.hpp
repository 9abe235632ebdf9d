#pragma once

#include <armilla/points/device_sums.hpp>
#include <armilla/points/point_transform.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <kernels/core/stream.hpp>

namespace armilla::perf {

using core::Index;

/// The kernels for points that a measurement runs: those of jobs, or others for comparison.
struct PointVariant {
  const char* name;
  const char* what;
  bool on_tensor_cores;
};

/// All variants of this build; the first one is that of jobs.
std::vector<PointVariant> point_variants();

/// Why a variant cannot be used for windows of this width in this precision, and what to do; empty if it can.
std::string why_unusable(const PointVariant& variant, int width, core::Precision precision);

/// Sums at points on a device without the transform between coefficients and the fine grid, on one rank. Device memory
/// is that of jobs (points::DeviceSums::memory) for every variant. Planning for tensor cores takes another 192 KiB of
/// host memory.
template <class T>
class PointStage {
 public:
  /// The coordinates need not outlive it. why_unusable() must be empty.
  PointStage(const PointVariant& variant, const points::PointTransformSpec& spec, std::span<const double> theta,
             std::span<const double> phi);

  const nufft::KernelChoice& kernel() const { return kernel_; }
  const kernels::Stream& stream() const { return *stream_; }
  /// Samples of the fine grid, [field][sample].
  transform::MapField<T>& torus() { return torus_; }
  /// Values [field][point].
  backend::DualBuffer<T>& values() { return values_; }
  /// torus() to values(), and the transpose.
  void interpolate() { sums_->interpolate(halo_, torus_, values_.overwrite(sums_->memory())); }
  void spread() { sums_->spread(halo_, values_.read(sums_->memory()), torus_); }

 private:
  comm::Communicator comm_;
  nufft::KernelChoice kernel_;
  std::shared_ptr<const kernels::Stream> stream_;
  transform::MapField<T> torus_;
  backend::DualBuffer<T> values_;
  transform::RingHalo<T> halo_;
  std::unique_ptr<points::DeviceSums<T>> sums_;
};

}  // namespace armilla::perf
