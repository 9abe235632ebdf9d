#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/backend/cuda/device_rings.hpp>
#include <armilla/backend/cuda/device_stage.hpp>

#include <complex>
#include <memory>
#include <variant>
#include <vector>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// Both stages of one part on the current device.
template <class T>
class CudaBackend final : public Backend<T> {
 public:
  using Complex = std::complex<T>;

  /// `work_bytes`: what each part of a stage may take for working space. The tables of the tasks, and the stream, must
  /// outlive it. Throws ResourceError where the device has too little memory.
  CudaBackend(const Options& options, const legendre::Task& legendre_task, const fft::RingTask& ring_task,
              std::span<const Index> ring_lengths, const math::MeridianCircle& circle, Index work_bytes,
              const kernels::Stream& stream);

  void legendre_synthesis(const Complex* alm, Complex* delta, const legendre::Progress& progress) override;
  void legendre_adjoint(const Complex* delta, Complex* alm, const legendre::Progress& progress) override;
  void legendre_analysis(Complex* delta, Complex* alm, const legendre::Progress& progress) override;
  void legendre_adjoint_analysis(const Complex* alm, Complex* delta, const legendre::Progress& progress) override;
  void rings_synthesis(const Complex* delta, std::span<const double> factor, T* map) override;
  void rings_adjoint(const T* map, std::span<const double> factor, Complex* delta) override;

 private:
  /// Calls work(stage, coefficients) with coefficients in the precision of the stage, and waits; progress is done then.
  template <class Work>
  void from_alm(const Complex* alm, const legendre::Progress& progress, const Work& work);
  template <class Work>
  void to_alm(Complex* alm, const legendre::Progress& progress, const Work& work);
  const double* upload_factor(std::span<const double> factor);

  legendre::Task legendre_task_;
  const kernels::Stream& stream_;
  std::variant<std::unique_ptr<DevicePlain<T>>, std::unique_ptr<DeviceResampled<T>>> stage_;
  DeviceRings<T> rings_;
  kernels::DeviceBuffer<double> factor_;                   ///< [slot]
  kernels::DeviceBuffer<std::complex<double>> converted_;  ///< coefficients, in the precision of the stage
};

extern template class CudaBackend<float>;
extern template class CudaBackend<double>;

}  // namespace armilla::backend
