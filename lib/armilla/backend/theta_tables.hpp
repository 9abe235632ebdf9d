#pragma once

#include <armilla/legendre/task.hpp>
#include <armilla/resample/circle_rings.hpp>
#include <armilla/resample/theta_resampler.hpp>

#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/theta/theta_task.hpp>

namespace armilla::backend {

using core::Index;

/// The arrays that a kernels::ThetaTask points to, on the host or on a device.
template <template <class> class Array>
struct ThetaArrays {
  Array<Index> block_shift, north_slot, south_slot, first_pair, first_source;
  Array<int> pair_block, first_point, entry_begin;
  Array<double> sign, weights, ring_factor, extra_share;
  Array<kernels::ThetaEntry> entries;
  Array<std::complex<double>> source_twiddle, fine_twiddle, source_scaled, fine_scaled;
};

/// Host tables of resampling in theta on a device, from those of the CPU's resampler, whose targets are the pairs of
/// the task, and one at the poles behind them where `circle` has an extra pair.
class ThetaTables {
 public:
  template <class T>
  using Vector = std::vector<T>;

  ThetaTables(const legendre::Task& task, const resample::ThetaResampler& resampler,
              const resample::CircleRings* circle = nullptr);

  const ThetaArrays<Vector>& arrays() const { return arrays_; }
  /// With pointers to these arrays on a device.
  kernels::DeviceThetaTask task(const ThetaArrays<kernels::DeviceBuffer>& arrays) const;
  /// From source to fine grid, and the transpose.
  kernels::DeviceSpectrumChange to_fine(const ThetaArrays<kernels::DeviceBuffer>& arrays) const;
  kernels::DeviceSpectrumChange to_source(const ThetaArrays<kernels::DeviceBuffer>& arrays) const;

  /// Columns of all own m.
  Index columns() const { return columns_; }
  /// Of each own m: components times maps.
  Index width() const { return plain_.targets.width; }
  Index source_length() const { return plain_.source_length; }
  Index fine_length() const { return plain_.fine_length; }
  /// Bytes of the arrays.
  Index bytes() const;

 private:
  void set_targets(const resample::ThetaResampler& resampler);
  kernels::ThetaEntry entry_of(Index target, double weight, bool past_pole, bool past_equator) const;

  kernels::DeviceThetaTask plain_;  ///< without pointers
  int lmax_;
  Index columns_;
  ThetaArrays<Vector> arrays_;
};

}  // namespace armilla::backend
