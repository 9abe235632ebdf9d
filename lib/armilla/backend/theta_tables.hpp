#pragma once

#include <armilla/legendre/task.hpp>
#include <armilla/resample/circle_rings.hpp>
#include <armilla/resample/theta_resampler.hpp>

#include <vector>

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
  /// With pointers to these arrays, or to copies of them.
  template <template <class> class Array>
  kernels::ThetaTask task(const ThetaArrays<Array>& arrays) const;
  /// From source to fine grid, and the transpose.
  template <template <class> class Array>
  kernels::SpectrumChange to_fine(const ThetaArrays<Array>& arrays) const;
  template <template <class> class Array>
  kernels::SpectrumChange to_source(const ThetaArrays<Array>& arrays) const;

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

  kernels::ThetaTask plain_;  ///< without pointers
  int lmax_;
  Index columns_;
  ThetaArrays<Vector> arrays_;
};

template <template <class> class Array>
kernels::ThetaTask ThetaTables::task(const ThetaArrays<Array>& arrays) const {
  kernels::ThetaTask task = plain_;
  task.targets.block_shift = arrays.block_shift.data();
  task.targets.pair_block = arrays.pair_block.data();
  task.targets.north_slot = arrays.north_slot.data();
  task.targets.south_slot = arrays.south_slot.data();
  task.sign = arrays.sign.data();
  if (arrays_.ring_factor.size() > 0) task.ring_factor = arrays.ring_factor.data();
  if (arrays_.extra_share.size() > 0) task.extra_share = arrays.extra_share.data();
  task.first_pair = arrays.first_pair.data();
  task.first_source = arrays.first_source.data();
  task.first_point = arrays.first_point.data();
  task.weights = arrays.weights.data();
  task.entry_begin = arrays.entry_begin.data();
  task.entries = arrays.entries.data();
  return task;
}

template <template <class> class Array>
kernels::SpectrumChange ThetaTables::to_fine(const ThetaArrays<Array>& arrays) const {
  return {plain_.source_length, plain_.fine_length, lmax_, kernels::values(arrays.source_scaled.data()),
          kernels::values(arrays.fine_twiddle.data())};
}

template <template <class> class Array>
kernels::SpectrumChange ThetaTables::to_source(const ThetaArrays<Array>& arrays) const {
  return {plain_.fine_length, plain_.source_length, lmax_, kernels::values(arrays.fine_scaled.data()),
          kernels::values(arrays.source_twiddle.data())};
}

}  // namespace armilla::backend
