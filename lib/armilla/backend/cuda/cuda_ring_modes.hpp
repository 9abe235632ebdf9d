#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/legendre_stage.hpp>
#include <armilla/backend/ring_mode_stage.hpp>
#include <armilla/backend/ring_mode_tables.hpp>

#include <complex>
#include <span>
#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// Iterations in ring modes on the current device, with the Legendre stage of the spin field. Work is done in stream
/// order.
template <class T>
class CudaRingModes final : public RingModeStage<T> {
 public:
  using Complex = std::complex<T>;

  /// The Legendre stage and the stream must outlive it. Throws ResourceError if the device has too little memory.
  CudaRingModes(const fft::RingTask& task, LegendreStage<T>& legendre, const kernels::Stream& stream);

  void set_weights(std::span<const double> weight) override;
  void subtract(const Complex* delta, Complex* modes) override;
  void fold_aliases(Complex* delta) override;
  void scale(std::span<const double> by, Complex* modes) override;
  void squares(const Complex* modes, std::span<double> sums) override;
  void immediate_round(const ImmediateRound<T>& round) override;

 private:
  kernels::DeviceModeRings rings_of_task() const;
  kernels::DeviceRingModeTask<T> task_of(const OrderRange& m, DevicePointer<Complex> modes) const;
  /// Gathers these m; no effect if the range is empty.
  void gather(const OrderRange& m, DevicePointer<Complex> modes);
  void launch_subtract(const OrderRange& m, DevicePointer<const Complex> delta, kernels::SubtractFrom from,
                       DevicePointer<Complex> modes);

  RingModeTables tables_;
  std::vector<OrderRange> ranges_;  ///< of the immediate scheme
  OrderRange all_m_;                ///< that contribute to rings
  Index width_;
  LegendreStage<T>& legendre_;
  const kernels::Stream& stream_;
  kernels::DeviceBuffer<kernels::SpectraRing> rings_;
  kernels::DeviceBuffer<math::Turn> turns_;
  kernels::DeviceBuffer<Index> m_shift_;
  kernels::DeviceBuffer<Index> first_slot_;
  kernels::DeviceBuffer<double> factor_;  ///< [slot]
  kernels::DeviceBuffer<double> by_;      ///< [map]
  kernels::DeviceBuffer<double> sums_;    ///< [map][slot]
};

}  // namespace armilla::backend
