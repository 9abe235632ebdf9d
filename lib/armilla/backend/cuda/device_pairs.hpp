#pragma once

#include <armilla/backend/cuda/device_legendre.hpp>
#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_wigner.hpp>
#include <armilla/backend/cuda/side_stream.hpp>

#include <complex>
#include <memory>
#include <optional>

#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// The Legendre stage of one rank on the current device at all pairs of a task. It uses the scalar recurrence where
/// supported and the Wigner recurrence elsewhere, concurrently if both are needed. Arrays are on the device, with the
/// layout of the task.
template <class T>
class DevicePairs {
 public:
  using Complex = std::complex<T>;

  /// Like DeviceLegendre and DeviceWigner, with `work_bytes` for each of the two; DeviceWigner always sums in double.
  /// `makers` create another stage instead of DeviceLegendre.
  DevicePairs(const legendre::Task& task, core::Precision sums, Index work_bytes, const kernels::Stream& stream,
              Products products = Products::kByTask, const kernels::ScalarKernels& scalar = kernels::scalar_kernels(),
              const PairStageMakers& makers = {});

  /// Computes Delta of the local m `orders` at all rings to which they contribute; does not touch the rest of delta.
  void synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta,
                 const kernels::Stream& stream);
  /// Overwrites all coefficients of these m.
  void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm,
               const kernels::Stream& stream);

 private:
  std::unique_ptr<PairStage<T>> scalar_;
  std::optional<DeviceWigner<T>> wigner_;
  /// For the few rings of the Wigner recurrence, if there are others.
  struct Beside {
    SideStream side;
    kernels::Event stored;
  };
  std::optional<Beside> beside_;
};

}  // namespace armilla::backend
