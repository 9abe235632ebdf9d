#pragma once

#include <armilla/backend/cuda/device_tables.hpp>
#include <armilla/backend/theta_sizes.hpp>
#include <armilla/legendre/task.hpp>
#include <armilla/resample/circle_rings.hpp>
#include <armilla/resample/theta_resampler.hpp>

#include <complex>

#include <kernels/theta/theta_task.hpp>

namespace armilla::backend {

using core::Index;

/// Tables of resampling in theta on the current device, from those of the CPU's resampler. Its targets are the pairs of
/// the task, followed by a pair at the poles if `circle` has an extra pair. With a circle, the source rings may be
/// those of another resampler, of lower degree.
class ThetaTables {
 public:
  /// The tables of the task and the resamplers need not outlive it. Waits for the copies.
  ThetaTables(const legendre::Task& task, const resample::ThetaResampler& resampler, const kernels::Stream& stream);
  ThetaTables(const legendre::Task& task, const resample::ThetaResampler& source_side,
              const resample::ThetaResampler& grid_side, const resample::CircleRings* circle,
              const kernels::Stream& stream);

  const kernels::DeviceThetaTask& task() const { return task_; }
  /// From source to fine grid, and the transpose, without a circle.
  kernels::DeviceSpectrumChange to_fine() const;
  kernels::DeviceSpectrumChange to_source() const;
  DevicePointer<const std::complex<double>> source_twiddle() const { return source_twiddle_; }
  DevicePointer<const std::complex<double>> fine_twiddle() const { return fine_twiddle_; }

  /// Whether targets are the pairs of the fine grid itself; then there are no tables of interpolation.
  bool is_on_fine_grid() const { return is_on_fine_grid_; }
  /// Number of columns of all local m.
  Index columns() const { return columns_; }
  /// Number of columns of each local m: components times maps.
  Index width() const { return task_.targets.width; }
  ThetaLengths lengths() const { return {task_.source_length, task_.fine_length}; }
  Index source_length() const { return task_.source_length; }
  Index fine_length() const { return task_.fine_length; }

 private:
  DeviceTables tables_;
  kernels::DeviceThetaTask task_;
  int lmax_;
  bool is_on_fine_grid_;
  Index columns_;
  DevicePointer<const std::complex<double>> source_twiddle_, fine_twiddle_, source_scaled_, fine_scaled_;
};

}  // namespace armilla::backend
