#include <armilla/backend/cuda/legendre_stage.hpp>
#include <armilla/backend/quadrature_engine.hpp>
#include <armilla/backend/source_rings.hpp>
#include <armilla/core/instantiate.hpp>

#include <memory>
#include <type_traits>

namespace armilla::backend {

namespace {

template <class T>
constexpr bool kConverts = !std::is_same_v<T, double>;

}  // namespace

template <class T>
LegendreStage<T>::LegendreStage(const Options& options, const legendre::Task& task, const math::MeridianCircle& circle,
                                Index work_bytes, const kernels::Stream& stream, Products products,
                                const kernels::ScalarKernels& scalar, const PairStageMakers& makers)
    : task_(task), stream_(stream) {
  const auto rings = circle_rings(task, circle);
  const bool resampled = is_resampled(options, task.lmax, task.pairs());
  using Resampler = std::unique_ptr<const resample::ThetaResampler>;
  const auto resampler_of = [&](Index degree) {
    return Resampler(new resample::ThetaResampler(make_quadrature_resampler(options, task, degree, rings)));
  };
  const Resampler resampler = resampled ? resampler_of(task.lmax) : nullptr;
  if (resampled) {
    const SourceRings source(task, resampler->source_cos(), resampler->source_sin());
    const auto sizes = SourceSizes::of<T>(task, source.delta_size());
    resampled_.emplace(Resampled{
        DevicePairs<double>(source.task(), core::kPrecisionOf<T>, work_bytes, stream, products, scalar, makers),
        DeviceTheta<T>(task, *resampler, make_column_fft(), work_bytes, stream),
        kernels::DeviceBuffer<std::complex<double>>(sizes.delta.count),
        kernels::DeviceBuffer<std::complex<double>>(sizes.alm.count)});
  } else {
    pairs_.emplace(task, core::kPrecisionOf<T>, work_bytes, stream, products, scalar, makers);
  }
  if (!rings) return;
  const bool shared = resampled && circle.degree == task.lmax;
  const Resampler grid_side = shared ? nullptr : resampler_of(circle.degree);
  const resample::ThetaResampler& of_grid = shared ? *resampler : *grid_side;
  quadrature_.emplace(task, resample::ThetaQuadrature(resampled ? *resampler : of_grid, of_grid, *rings),
                      make_column_fft(), work_bytes, stream);
}

template <class T>
kernels::FieldRows LegendreStage<T>::rows(const OrderRange& orders) const {
  kernels::FieldRows rows{0, 0, task_.components, task_.maps, task_.component_stride, task_.map_stride};
  if (orders.count() <= 0) return rows;
  const auto first = static_cast<std::size_t>(orders.begin);
  rows.begin = task_.alm_offset[first] + task_.m[first];
  rows.length = task_.alm_offset[static_cast<std::size_t>(orders.end - 1)] + task_.lmax + 1 - rows.begin;
  return rows;
}

template <class T>
void LegendreStage<T>::to_source(const OrderRange& orders, DevicePointer<const Complex> alm) {
  if constexpr (kConverts<T>) {
    const auto there = resampled_->alm.data();
    kernels::Arithmetic<T>::widen_rows(rows(orders), real(there), real(alm), stream_.get());
    resampled_->pairs.synthesis(orders, there, resampled_->delta.data(), stream_);
  } else {
    resampled_->pairs.synthesis(orders, alm, resampled_->delta.data(), stream_);
  }
}

template <class T>
void LegendreStage<T>::from_source(const OrderRange& orders, DevicePointer<Complex> alm) {
  if constexpr (kConverts<T>) {
    const auto there = resampled_->alm.data();
    resampled_->pairs.adjoint(orders, resampled_->delta.data(), there, stream_);
    kernels::Arithmetic<T>::narrow_rows(rows(orders), real(alm), real(there), stream_.get());
  } else {
    resampled_->pairs.adjoint(orders, resampled_->delta.data(), alm, stream_);
  }
}

template <class T>
void LegendreStage<T>::synthesis(const OrderRange& orders, DevicePointer<const Complex> alm,
                                 DevicePointer<Complex> delta) {
  if (pairs_) return pairs_->synthesis(orders, alm, delta, stream_);
  to_source(orders, alm);
  resampled_->theta.to_rings(orders, resampled_->delta.data(), delta, stream_);
}

template <class T>
void LegendreStage<T>::adjoint(const OrderRange& orders, DevicePointer<const Complex> delta,
                               DevicePointer<Complex> alm) {
  if (pairs_) return pairs_->adjoint(orders, delta, alm, stream_);
  resampled_->theta.to_source(orders, delta, resampled_->delta.data(), stream_);
  from_source(orders, alm);
}

template <class T>
void LegendreStage<T>::analysis(DevicePointer<Complex> delta, DevicePointer<Complex> alm) {
  check_quadrature(quadrature_.has_value());
  if (pairs_) {
    quadrature_->rings_to_rings(delta, stream_);
    return pairs_->adjoint(all_orders(), delta, alm, stream_);
  }
  quadrature_->rings_to_source(delta, resampled_->delta.data(), stream_);
  from_source(all_orders(), alm);
}

template <class T>
void LegendreStage<T>::adjoint_analysis(DevicePointer<const Complex> alm, DevicePointer<Complex> delta) {
  check_quadrature(quadrature_.has_value());
  if (pairs_) {
    pairs_->synthesis(all_orders(), alm, delta, stream_);
    return quadrature_->rings_to_rings(delta, stream_);
  }
  to_source(all_orders(), alm);
  quadrature_->source_to_rings(resampled_->delta.data(), delta, stream_);
}

ARMILLA_INSTANTIATE_CLASS(LegendreStage);

}  // namespace armilla::backend
