#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_rings.hpp>
#include <armilla/backend/cuda/device_stage.hpp>

#include <complex>
#include <memory>
#include <span>
#include <variant>

#include <kernels/core/arithmetic.hpp>
#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// The Legendre stage of one part on the current device, resampled or not. Methods as those of Backend, with pointers
/// of the device.
template <class T>
class CudaLegendre {
 public:
  using Complex = std::complex<T>;

  /// `work_bytes`: what each part of the stage may take for working space. The tables of the task, and the stream, must
  /// outlive it. Throws ResourceError where the device has too little memory.
  CudaLegendre(const Options& options, const legendre::Task& task, const math::MeridianCircle& circle, Index work_bytes,
               const kernels::Stream& stream);

  /// Return when their results may be used.
  void synthesis(DevicePointer<const Complex> alm, DevicePointer<Complex> delta);
  void adjoint(DevicePointer<const Complex> delta, DevicePointer<Complex> alm);
  void analysis(DevicePointer<Complex> delta, DevicePointer<Complex> alm);
  void adjoint_analysis(DevicePointer<const Complex> alm, DevicePointer<Complex> delta);

  /// Of some own m, in the order of the stream: return before it is done.
  void synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta);
  void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm);

  /// Where the coefficients of some own m stand.
  kernels::FieldRows rows(const OrderRange& orders) const;

 private:
  /// Calls work(stage, coefficients) with coefficients of some own m in the precision of the stage.
  template <class Work>
  void from_alm(const OrderRange& orders, DevicePointer<const Complex> alm, const Work& work);
  template <class Work>
  void to_alm(const OrderRange& orders, DevicePointer<Complex> alm, const Work& work);
  DevicePointer<std::complex<double>> converted();

  legendre::Task task_;
  const kernels::Stream& stream_;
  std::variant<std::unique_ptr<DevicePlain<T>>, std::unique_ptr<DeviceResampled<T>>> stage_;
  kernels::DeviceBuffer<std::complex<double>> converted_;  ///< coefficients, in the precision of the stage
};

/// The ring stage likewise, with factors in host memory.
template <class T>
class CudaRings {
 public:
  using Complex = std::complex<T>;

  CudaRings(const fft::RingTask& task, std::span<const Index> ring_lengths, Index work_bytes,
            const kernels::Stream& stream);

  void synthesis(DevicePointer<const Complex> delta, std::span<const double> factor, DevicePointer<T> map);
  void adjoint(DevicePointer<const T> map, std::span<const double> factor, DevicePointer<Complex> delta);

 private:
  DevicePointer<const double> upload_factor(std::span<const double> factor);

  const kernels::Stream& stream_;
  DeviceRings<T> rings_;
  kernels::DeviceBuffer<double> factor_;  ///< [slot]
};

extern template class CudaLegendre<float>;
extern template class CudaLegendre<double>;
extern template class CudaRings<float>;
extern template class CudaRings<double>;

}  // namespace armilla::backend
