#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/scalar_stage_shape.hpp>
#include <armilla/legendre/task.hpp>

#include <complex>
#include <memory>
#include <type_traits>

#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// The Legendre stage of one rank on the current device at the pairs of a task that use the scalar recurrence: those
/// starting at legendre::PairParts::wigner. Arrays are on the device, with the layout of the task.
template <class T>
class PairStage {
 public:
  using Complex = std::complex<T>;

  virtual ~PairStage() = default;
  PairStage(const PairStage&) = delete;
  PairStage& operator=(const PairStage&) = delete;

  /// Computes Delta of the local m `orders` at these pairs, if they contribute to them; does not touch the rest of
  /// delta.
  virtual void synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta,
                         const kernels::Stream& stream) = 0;
  /// Computes sums over the rings of these pairs; overwrites all coefficients of these m. Bitwise identical for any
  /// range.
  virtual void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm,
                       const kernels::Stream& stream) = 0;

 protected:
  PairStage() = default;
};

/// Functions that create a stage for each precision, instead of DeviceLegendre; null for DeviceLegendre.
struct PairStageMakers {
  template <class T>
  using Maker = std::unique_ptr<PairStage<T>> (*)(const legendre::Task& task, Index work_bytes,
                                                  const kernels::Stream& stream);
  Maker<double> in_double = nullptr;
  Maker<float> in_single = nullptr;

  template <class T>
  Maker<T> of() const {
    if constexpr (std::is_same_v<T, double>)
      return in_double;
    else
      return in_single;
  }
};

}  // namespace armilla::backend
