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

/// The Legendre stage of one spin field on the current device. Without resampling it runs on the rings of the grid,
/// with sums as T. With resampling it runs on the smallest set of rings that determines fields of degree task.lmax,
/// with coefficients and Delta in double. DeviceTheta then transforms Delta between these rings and those of the grid.
/// Work is in the order of one stream: calls return before it is complete.
template <class T>
class LegendreStage {
 public:
  using Complex = std::complex<T>;

  /// `work_bytes`: for each workspace of the stage. A circle with points requests exact quadrature; the rings must be
  /// on the circle. The tables of the task and the stream must outlive it. Throws InputError for rings that are not
  /// those of the circle, and ResourceError if the device has too little memory.
  LegendreStage(const Options& options, const legendre::Task& task, const math::MeridianCircle& circle,
                Index work_bytes, const kernels::Stream& stream, Products products = Products::kByTask,
                const kernels::ScalarKernels& scalar = kernels::scalar_kernels(), const PairStageMakers& makers = {});

  /// Like DevicePairs, on the rings of the grid.
  void synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta);
  void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm);
  /// Like QuadratureEngine, for all local m; analysis also overwrites delta. Throws InternalError without a circle.
  void analysis(DevicePointer<Complex> delta, DevicePointer<Complex> alm);
  void adjoint_analysis(DevicePointer<const Complex> alm, DevicePointer<Complex> delta);

  OrderRange all_orders() const { return OrderRange::all(task_); }
  /// Location of the coefficients of some local m.
  kernels::FieldRows rows(const OrderRange& orders) const;

 private:
  /// Members of a resampled stage, which replace DevicePairs<T>.
  struct Resampled {
    DevicePairs<double> pairs;
    DeviceTheta<T> theta;
    kernels::DeviceBuffer<std::complex<double>> delta;  ///< on the source rings
    kernels::DeviceBuffer<std::complex<double>> alm;    ///< in double; empty if T is double
  };

  /// alm -> Delta on the source rings, and back.
  void to_source(const OrderRange& orders, DevicePointer<const Complex> alm);
  void from_source(const OrderRange& orders, DevicePointer<Complex> alm);

  legendre::Task task_;
  const kernels::Stream& stream_;
  std::optional<DevicePairs<T>> pairs_;  ///< null if the stage is resampled
  std::optional<Resampled> resampled_;
  std::optional<DeviceQuadrature<T>> quadrature_;
};

}  // namespace armilla::backend
