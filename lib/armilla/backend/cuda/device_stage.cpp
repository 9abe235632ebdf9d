#include <armilla/backend/cuda/device_stage.hpp>
#include <armilla/backend/cuda/fft_columns.hpp>
#include <armilla/backend/quadrature_engine.hpp>
#include <armilla/legendre/pair_parts.hpp>

namespace armilla::backend {

template <class T>
DevicePairs<T>::DevicePairs(const legendre::Task& task, core::Precision sums, Index work_bytes,
                            const kernels::Stream& stream, Products products)
    : all_(OrderRange::all(task)) {
  const legendre::PairParts parts(task);
  if (parts.wigner < parts.end) scalar_.emplace(task, sums, work_bytes, stream, products);
  // Of a task without pairs too, for which it sets zeros.
  if (parts.wigner > 0 || !scalar_) wigner_.emplace(task, 0, parts.wigner, work_bytes, stream);
  if (scalar_ && wigner_) beside_.emplace();
}

template <class T>
template <class Work>
void DevicePairs<T>::run_beside(const kernels::Stream& stream, const Work& work) {
  const auto join = [&] {
    beside_->joined.record(beside_->stream);
    beside_->joined.hold(stream);
  };
  beside_->forked.record(stream);
  beside_->forked.hold(beside_->stream);
  try {
    work(beside_->stream);
  } catch (...) {
    join();
    throw;
  }
  join();
}

template <class T>
void DevicePairs<T>::synthesis(const OrderRange& orders, DevicePointer<const Complex> alm, DevicePointer<Complex> delta,
                               const kernels::Stream& stream) {
  if (!scalar_) return wigner_->synthesis(orders, alm, delta, stream);
  if (!wigner_) return scalar_->synthesis(orders, alm, delta, stream);
  run_beside(stream, [&](const kernels::Stream& beside) {
    wigner_->synthesis(orders, alm, delta, beside);
    scalar_->synthesis(orders, alm, delta, stream);
  });
}

template <class T>
void DevicePairs<T>::adjoint(const OrderRange& orders, DevicePointer<const Complex> delta, DevicePointer<Complex> alm,
                             const kernels::Stream& stream) {
  if (!scalar_) return wigner_->adjoint(orders, delta, alm, Accumulate::kOverwrite, stream);
  if (!wigner_) return scalar_->adjoint(orders, delta, alm, stream);
  run_beside(stream, [&](const kernels::Stream& beside) {
    wigner_->adjoint(orders, delta, alm, Accumulate::kAdd, beside, [&] {
      scalar_->adjoint(orders, delta, alm, stream);
      beside_->stored.record(stream);
      beside_->stored.hold(beside);
    });
  });
}

template <class T>
DevicePlain<T>::DevicePlain(const legendre::Task& task, const math::MeridianCircle& circle, Index work_bytes,
                            const kernels::Stream& stream, Products products)
    : pairs_(task, core::kPrecisionOf<T>, work_bytes, stream, products) {
  const auto rings = circle_rings(task, circle);
  if (!rings) return;
  const resample::ThetaResampler resampler = make_quadrature_resampler(task, rings);
  quadrature_.emplace(task, resample::ThetaQuadrature(resampler, *rings), make_fft_columns(), work_bytes, stream);
}

template <class T>
void DevicePlain<T>::synthesis(const OrderRange& orders, DevicePointer<const Coefficient> alm,
                               DevicePointer<Complex> delta, const kernels::Stream& stream) {
  pairs_.synthesis(orders, alm, delta, stream);
}

template <class T>
void DevicePlain<T>::adjoint(const OrderRange& orders, DevicePointer<const Complex> delta,
                             DevicePointer<Coefficient> alm, const kernels::Stream& stream) {
  pairs_.adjoint(orders, delta, alm, stream);
}

template <class T>
void DevicePlain<T>::analysis(DevicePointer<Complex> delta, DevicePointer<Coefficient> alm,
                              const kernels::Stream& stream) {
  check_quadrature(quadrature_.has_value());
  quadrature_->rings_to_rings(delta, stream);
  pairs_.adjoint(delta, alm, stream);
}

template <class T>
void DevicePlain<T>::adjoint_analysis(DevicePointer<const Coefficient> alm, DevicePointer<Complex> delta,
                                      const kernels::Stream& stream) {
  check_quadrature(quadrature_.has_value());
  pairs_.synthesis(alm, delta, stream);
  quadrature_->rings_to_rings(delta, stream);
}

template <class T>
DeviceResampled<T>::DeviceResampled(const legendre::Task& task, const math::MeridianCircle& circle, Index work_bytes,
                                    const kernels::Stream& stream, Products products)
    : circle_(circle_rings(task, circle)),
      resampler_(make_quadrature_resampler(task, circle_)),
      source_(task, resampler_.source_cos(), resampler_.source_sin()),
      pairs_(source_.task(), core::kPrecisionOf<T>, work_bytes, stream, products),
      theta_(task, resampler_, make_fft_columns(), work_bytes, stream),
      source_delta_(source_.delta_size()) {
  if (circle_)
    quadrature_.emplace(task, resample::ThetaQuadrature(resampler_, *circle_), make_fft_columns(), work_bytes, stream);
}

template <class T>
void DeviceResampled<T>::synthesis(const OrderRange& orders, DevicePointer<const Coefficient> alm,
                                   DevicePointer<Complex> delta, const kernels::Stream& stream) {
  pairs_.synthesis(orders, alm, source_delta_.data(), stream);
  theta_.to_rings(orders, source_delta_.data(), delta, stream);
}

template <class T>
void DeviceResampled<T>::adjoint(const OrderRange& orders, DevicePointer<const Complex> delta,
                                 DevicePointer<Coefficient> alm, const kernels::Stream& stream) {
  theta_.to_source(orders, delta, source_delta_.data(), stream);
  pairs_.adjoint(orders, source_delta_.data(), alm, stream);
}

template <class T>
void DeviceResampled<T>::analysis(DevicePointer<Complex> delta, DevicePointer<Coefficient> alm,
                                  const kernels::Stream& stream) {
  check_quadrature(quadrature_.has_value());
  quadrature_->rings_to_source(delta, source_delta_.data(), stream);
  pairs_.adjoint(source_delta_.data(), alm, stream);
}

template <class T>
void DeviceResampled<T>::adjoint_analysis(DevicePointer<const Coefficient> alm, DevicePointer<Complex> delta,
                                          const kernels::Stream& stream) {
  check_quadrature(quadrature_.has_value());
  pairs_.synthesis(alm, source_delta_.data(), stream);
  quadrature_->source_to_rings(source_delta_.data(), delta, stream);
}

template class DevicePairs<float>;
template class DevicePairs<double>;
template class DevicePlain<float>;
template class DevicePlain<double>;
template class DeviceResampled<float>;
template class DeviceResampled<double>;

}  // namespace armilla::backend
