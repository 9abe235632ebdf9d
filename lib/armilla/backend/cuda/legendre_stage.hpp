#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_pairs.hpp>
#include <armilla/backend/cuda/device_quadrature.hpp>
#include <armilla/backend/cuda/device_theta.hpp>
#include <armilla/backend/options.hpp>
#include <armilla/math/meridian_circle.hpp>

#include <complex>
#include <optional>

#include <kernels/core/arithmetic.hpp>
#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// The Legendre stage of one spin field on the current device. It runs on the rings of the grid, with sums as T;
/// or it is resampled: it runs on the least set of rings that fixes fields of degree task.lmax, with coefficients and
/// Delta in double, and DeviceTheta carries Delta between these rings and those of the grid. Work is in the order of
/// one stream: calls return before it is done.
template <class T>
class LegendreStage {
 public:
  using Complex = std::complex<T>;

  /// `work_bytes`: for each working space of the stage. A circle with points, on which the rings must lie, gives it the
  /// exact quadrature in theta. The tables of the task, and the stream, must outlive it. Throws InputError for rings
  /// that are not those of the circle, ResourceError where the device has too little memory.
  LegendreStage(const Options& options, const legendre::Task& task, const math::MeridianCircle& circle,
                Index work_bytes, const kernels::Stream& stream, Products products = Products::kByCampaign);

  /// As DevicePairs, on the rings of the grid.
  void synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta);
  void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm);
  /// As QuadratureEngine, of all own m; analysis overwrites delta too. Throw InternalError where there was no circle.
  void analysis(DevicePointer<Complex> delta, DevicePointer<Complex> alm);
  void adjoint_analysis(DevicePointer<const Complex> alm, DevicePointer<Complex> delta);

  OrderRange all_orders() const { return OrderRange::all(task_); }
  /// Where the coefficients of some own m are.
  kernels::FieldRows rows(const OrderRange& orders) const;

 private:
  /// What a stage that is resampled has in place of DevicePairs<T>.
  struct Resampled {
    DevicePairs<double> pairs;
    DeviceTheta<T> theta;
    kernels::DeviceBuffer<std::complex<double>> delta;  ///< on the least set of rings
    kernels::DeviceBuffer<std::complex<double>> alm;    ///< in double; empty where T is
  };

  /// alm -> Delta on the least set of rings, and back.
  void to_source(const OrderRange& orders, DevicePointer<const Complex> alm);
  void from_source(const OrderRange& orders, DevicePointer<Complex> alm);

  legendre::Task task_;
  const kernels::Stream& stream_;
  std::optional<DevicePairs<T>> pairs_;  ///< or
  std::optional<Resampled> resampled_;
  std::optional<DeviceQuadrature<T>> quadrature_;
};

}  // namespace armilla::backend
