#pragma once

#include <armilla/backend/cuda/device_legendre.hpp>
#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_quadrature.hpp>
#include <armilla/backend/cuda/device_theta.hpp>
#include <armilla/backend/cuda/device_wigner.hpp>
#include <armilla/backend/source_rings.hpp>
#include <armilla/math/equidistant_weights.hpp>
#include <armilla/resample/theta_resampler.hpp>

#include <complex>
#include <memory>
#include <optional>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// The Legendre stage of one rank on the current device at all pairs of a task: the scalar recurrence where it serves,
/// the Wigner recurrence elsewhere, side by side where there are both. Arrays are on the device, laid out as the task
/// says.
template <class T>
class DevicePairs {
 public:
  using Complex = std::complex<T>;

  /// As DeviceLegendre and DeviceWigner, with `work_bytes` for each of the two; the latter sums in double.
  DevicePairs(const legendre::Task& task, core::Precision sums, Index work_bytes, const kernels::Stream& stream,
              Products products = Products::kByCampaign);

  /// Delta of the own m `orders` at all rings that feel them; leaves other places alone.
  void synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta,
                 const kernels::Stream& stream);
  /// Overwrites all coefficients of these m.
  void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm,
               const kernels::Stream& stream);
  /// The same for all own m.
  void synthesis(DevicePointer<const Complex> alm, DevicePointer<Complex> delta, const kernels::Stream& stream) {
    synthesis(all_, alm, delta, stream);
  }
  void adjoint(DevicePointer<const Complex> delta, DevicePointer<Complex> alm, const kernels::Stream& stream) {
    adjoint(all_, delta, alm, stream);
  }

 private:
  /// Calls work(second stream) and makes both streams wait for each other before and after it, errors included.
  template <class Work>
  void run_beside(const kernels::Stream& stream, const Work& work);

  OrderRange all_;
  std::optional<DeviceLegendre<T>> scalar_;
  std::optional<DeviceWigner<T>> wigner_;
  /// The few rings of the Wigner recurrence leave most of a device to others.
  struct Beside {
    kernels::Stream stream;
    kernels::Event forked, stored, joined;
  };
  std::optional<Beside> beside_;
};

/// The whole Legendre stage of one rank on the current device, on the rings of the grid, its sums as T. A circle with
/// points, on which the rings must lie, gives it the exact quadrature in theta; `work_bytes` is for each part of the
/// stage. Throws InputError for rings that are not those of the circle, ResourceError where the device has too little
/// memory.
template <class T>
class DevicePlain {
 public:
  using Coefficient = std::complex<T>;
  using Complex = std::complex<T>;

  DevicePlain(const legendre::Task& task, const math::MeridianCircle& circle, Index work_bytes,
              const kernels::Stream& stream, Products products = Products::kByCampaign);

  /// As DevicePairs.
  void synthesis(const OrderRange& orders, DevicePointer<const Coefficient> alm, DevicePointer<Complex> delta,
                 const kernels::Stream& stream);
  void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Coefficient> alm,
               const kernels::Stream& stream);
  /// As QuadratureEngine: with the exact quadrature; analysis overwrites delta too. Throw InternalError where there was
  /// no circle.
  void analysis(DevicePointer<Complex> delta, DevicePointer<Coefficient> alm, const kernels::Stream& stream);
  void adjoint_analysis(DevicePointer<const Coefficient> alm, DevicePointer<Complex> delta,
                        const kernels::Stream& stream);

 private:
  DevicePairs<T> pairs_;
  std::optional<DeviceQuadrature<T>> quadrature_;
};

/// The same on the least set of rings that fixes fields of degree task.lmax, with Delta carried to and from the rings
/// of the task by DeviceTheta. Coefficients are in double, whatever T is; sums of the Legendre stage are as T.
template <class T>
class DeviceResampled {
 public:
  using Coefficient = std::complex<double>;
  using Complex = std::complex<T>;

  DeviceResampled(const legendre::Task& task, const math::MeridianCircle& circle, Index work_bytes,
                  const kernels::Stream& stream, Products products = Products::kByCampaign);

  void synthesis(const OrderRange& orders, DevicePointer<const Coefficient> alm, DevicePointer<Complex> delta,
                 const kernels::Stream& stream);
  void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Coefficient> alm,
               const kernels::Stream& stream);
  void analysis(DevicePointer<Complex> delta, DevicePointer<Coefficient> alm, const kernels::Stream& stream);
  void adjoint_analysis(DevicePointer<const Coefficient> alm, DevicePointer<Complex> delta,
                        const kernels::Stream& stream);

 private:
  std::optional<resample::CircleRings> circle_;
  resample::ThetaResampler resampler_;
  SourceRings source_;
  DevicePairs<double> pairs_;
  DeviceTheta<T> theta_;
  std::optional<DeviceQuadrature<T>> quadrature_;
  kernels::DeviceBuffer<std::complex<double>> source_delta_;
};

extern template class DevicePairs<float>;
extern template class DevicePairs<double>;
extern template class DevicePlain<float>;
extern template class DevicePlain<double>;
extern template class DeviceResampled<float>;
extern template class DeviceResampled<double>;

}  // namespace armilla::backend
