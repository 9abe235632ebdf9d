#pragma once

#include <armilla/backend/cuda/cuda_stages.hpp>
#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/spectra_stage.hpp>
#include <armilla/backend/spectra_tables.hpp>

#include <complex>
#include <span>
#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// Iterations in spectra of rings on the current device, with the Legendre stage of the part. Work is in the order of
/// the stream.
template <class T>
class CudaSpectra final : public SpectraStage<T> {
 public:
  using Complex = std::complex<T>;

  /// `orders`: own m of the Legendre stage. The stage and the stream must outlive it. Throws ResourceError where the
  /// device has too little memory.
  CudaSpectra(const fft::RingTask& task, CudaLegendre<T>& legendre, const OrderRange& orders,
              const kernels::Stream& stream);

  void set_weights(std::span<const double> weight) override;
  void take_off(const Complex* delta, Complex* spectra) override;
  void meet(Complex* delta) override;
  void scale(std::span<const double> by, Complex* spectra) override;
  void squares(const Complex* spectra, std::span<double> sums) override;
  void add(const Complex* found, Complex* alm) override;
  void immediate_round(const ImmediateRound<T>& round) override;

 private:
  kernels::DeviceSpectraRings rings_of_task() const;
  kernels::DeviceSpectraTask<T> task_of(const OrderRange& m, DevicePointer<Complex> spectra) const;
  /// Of these m, where there are some.
  void gather(const OrderRange& m, DevicePointer<Complex> spectra);
  void launch_take_off(const OrderRange& m, DevicePointer<const Complex> delta, kernels::TakenFrom from,
                       DevicePointer<Complex> spectra);

  SpectraTables tables_;
  std::vector<OrderRange> ranges_;  ///< of the immediate scheme
  OrderRange all_m_;                ///< that rings feel
  OrderRange own_m_;
  Index width_;
  CudaLegendre<T>& legendre_;
  const kernels::Stream& stream_;
  kernels::DeviceBuffer<kernels::SpectraRing> rings_;
  kernels::DeviceBuffer<math::Turn> turns_;
  kernels::DeviceBuffer<Index> m_shift_;
  kernels::DeviceBuffer<Index> first_slot_;
  kernels::DeviceBuffer<double> factor_;  ///< [slot]
  kernels::DeviceBuffer<double> by_;      ///< [map]
  kernels::DeviceBuffer<double> sums_;    ///< [map][slot]
};

extern template class CudaSpectra<float>;
extern template class CudaSpectra<double>;

}  // namespace armilla::backend
