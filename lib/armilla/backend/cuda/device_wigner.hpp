#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/device_tables.hpp>
#include <armilla/backend/scalar_stage_shape.hpp>
#include <armilla/backend/wigner_tables.hpp>
#include <armilla/legendre/task.hpp>

#include <complex>
#include <functional>
#include <vector>

#include <kernels/core/accumulate.hpp>
#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

using kernels::Accumulate;

/// The Legendre stage of one rank on the current device by the Wigner recurrence of any spin, for pairs pair_begin ..
/// pair_end - 1 of a task: the rings next to the poles, or all rings for high spins. Sums are in an order that depends
/// only on grid and layout. Arrays are on the device, with the layout of the task.
template <class T>
class DeviceWigner {
 public:
  using Complex = std::complex<T>;

  /// Copies the tables of the task and waits for the copies; the spans of the task need not outlive this object. The
  /// adjoint processes local m in ranges whose partial sums fit in `work_bytes`, or one by one. Throws ResourceError if
  /// the device has too little memory.
  DeviceWigner(const legendre::Task& task, Index pair_begin, Index pair_end, Index work_bytes,
               const kernels::Stream& stream);

  /// Computes Delta at these pairs for the local m `orders` that contribute to them; does not touch the rest of delta.
  void synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta,
                 const kernels::Stream& stream);
  /// Computes sums over the rings of these pairs, which overwrite all coefficients of these m or are added to them.
  /// Calls before_alm, if set, once, before queueing any work that reads or writes alm.
  void adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm,
               Accumulate accumulate, const kernels::Stream& stream, const std::function<void()>& before_alm = {});

 private:
  WignerTables tables_;
  std::vector<WignerRange> ranges_;  ///< of the adjoint
  DeviceTables arrays_;
  kernels::DeviceWignerTask task_;
  kernels::DeviceBuffer<double> partials_;
};

}  // namespace armilla::backend
