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

/// Device memory that the parts of a field use one after the other; it grows to what the largest needs.
struct DeviceScratch {
  kernels::DeviceBuffer<char> alm, map, factor;
};

/// Both stages of one part on the current device, with coefficients and pixels carried there and back. Of a field with
/// several parts only this one's components are touched.
template <class T>
class CudaBackend final : public Backend<T> {
 public:
  using Complex = std::complex<T>;

  /// `work_bytes`: what each stage may take for working space. The tables of the tasks, stream and scratch must outlive
  /// it. Throws ResourceError where the device has too little memory.
  CudaBackend(const Options& options, const legendre::Task& legendre_task, const fft::RingTask& ring_task,
              const math::MeridianCircle& circle, Index work_bytes, const kernels::Stream& stream,
              DeviceScratch& scratch);

  void legendre_synthesis(const Complex* alm, Complex* delta, const legendre::Progress& progress) override;
  void legendre_adjoint(const Complex* delta, Complex* alm, const legendre::Progress& progress) override;
  void legendre_analysis(Complex* delta, Complex* alm, const legendre::Progress& progress) override;
  void legendre_adjoint_analysis(const Complex* alm, Complex* delta, const legendre::Progress& progress) override;
  void rings_synthesis(const Complex* delta, std::span<const double> factor, T* map) override;
  void rings_adjoint(const T* map, std::span<const double> factor, Complex* delta) override;

 private:
  /// Own coefficients of all maps between host and device, where those of a map follow those of the one before.
  template <class Number>
  Number* upload_alm(const Complex* alm);
  template <class Number>
  void download_alm(const Number* numbers, Complex* alm);
  /// Calls work(stage, coefficients on the device), and waits; progress is done then.
  template <class Work>
  void from_alm(const Complex* alm, const legendre::Progress& progress, const Work& work);
  template <class Work>
  void to_alm(Complex* alm, const legendre::Progress& progress, const Work& work);
  const double* upload_factor(std::span<const double> factor);

  legendre::Task legendre_task_;  ///< as on the device
  fft::RingTask ring_task_;       ///< as on the device
  Index host_alm_stride_, host_map_stride_;
  const kernels::Stream& stream_;
  DeviceScratch& scratch_;
  std::variant<std::unique_ptr<DevicePlain<T>>, std::unique_ptr<DeviceResampled<T>>> stage_;
  DeviceRings<T> rings_;
  std::vector<std::complex<double>> converted_;  ///< coefficients of a resampled transform in single precision
};

extern template class CudaBackend<float>;
extern template class CudaBackend<double>;

}  // namespace armilla::backend
