#include <armilla/backend/cuda/device_pairs.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/pair_parts.hpp>

namespace armilla::backend {

template <class T>
DevicePairs<T>::DevicePairs(const legendre::Task& task, core::Precision sums, Index work_bytes,
                            const kernels::Stream& stream, Products products, const kernels::ScalarKernels& scalar,
                            const PairStageMakers& makers) {
  const legendre::PairParts parts(task);
  const auto make = makers.of<T>();
  if (parts.wigner < parts.end)
    scalar_ = make != nullptr ? make(task, work_bytes, stream)
                              : std::make_unique<DeviceLegendre<T>>(task, sums, work_bytes, stream, products, scalar);
  // Also for a task without pairs, for which it sets zeros.
  if (parts.wigner > 0 || !scalar_) wigner_.emplace(task, 0, parts.wigner, work_bytes, stream);
  if (scalar_ && wigner_) beside_.emplace();
}

template <class T>
void DevicePairs<T>::synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta,
                               const kernels::Stream& stream) {
  if (!scalar_) return wigner_->synthesis(orders, alm, delta, stream);
  if (!wigner_) return scalar_->synthesis(orders, alm, delta, stream);
  beside_->side.run(stream, [&](const kernels::Stream& beside) {
    wigner_->synthesis(orders, alm, delta, beside);
    scalar_->synthesis(orders, alm, delta, stream);
  });
}

template <class T>
void DevicePairs<T>::adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm,
                             const kernels::Stream& stream) {
  if (!scalar_) return wigner_->adjoint(orders, delta, alm, Accumulate::kOverwrite, stream);
  if (!wigner_) return scalar_->adjoint(orders, delta, alm, stream);
  beside_->side.run(stream, [&](const kernels::Stream& beside) {
    wigner_->adjoint(orders, delta, alm, Accumulate::kAdd, beside, [&] {
      scalar_->adjoint(orders, delta, alm, stream);
      beside_->stored.record(stream);
      beside_->stored.hold(beside);
    });
  });
}

ARMILLA_INSTANTIATE_CLASS(DevicePairs);

}  // namespace armilla::backend
