#include <armilla/backend/cuda/cuda_stages.hpp>
#include <armilla/backend/cuda/device_numbers.hpp>

#include <type_traits>

namespace armilla::backend {

namespace {

// From the first coefficient of a part to behind its last; those of other parts may be in between.
Index extent(const legendre::Task& task) {
  return task.maps == 0 ? 0 : (task.maps - 1) * task.map_stride + task.components * task.component_stride;
}

}  // namespace

template <class T>
CudaLegendre<T>::CudaLegendre(const Options& options, const legendre::Task& task, const math::MeridianCircle& circle,
                              Index work_bytes, const kernels::Stream& stream)
    : task_(task), stream_(stream) {
  if (is_resampled(options, task.lmax, task.pairs()))
    stage_ = std::make_unique<DeviceResampled<T>>(task, circle, work_bytes, stream);
  else
    stage_ = std::make_unique<DevicePlain<T>>(task, circle, work_bytes, stream);
}

template <class T>
kernels::FieldRows CudaLegendre<T>::rows(const OrderRange& orders) const {
  kernels::FieldRows rows{0, 0, task_.components, task_.maps, task_.component_stride, task_.map_stride};
  if (orders.count() <= 0) return rows;
  const auto first = static_cast<std::size_t>(orders.begin);
  rows.begin = task_.alm_offset[first] + task_.m[first];
  rows.length = task_.alm_offset[static_cast<std::size_t>(orders.end - 1)] + task_.lmax + 1 - rows.begin;
  return rows;
}

template <class T>
DevicePointer<std::complex<double>> CudaLegendre<T>::converted() {
  const Index count = extent(task_);
  if (converted_.size() < count) converted_ = kernels::DeviceBuffer<std::complex<double>>(count);
  return converted_.data();
}

template <class T>
template <class Work>
void CudaLegendre<T>::from_alm(const OrderRange& orders, DevicePointer<const Complex> alm, const Work& work) {
  std::visit(
      [&]<class Stage>(std::unique_ptr<Stage>& stage) {
        if constexpr (std::is_same_v<typename Stage::Coefficient, Complex>) {
          work(*stage, alm);
        } else {
          DevicePointer<const std::complex<double>> there = converted();
          kernels::convert_rows(rows(orders), real(converted()), real(alm), stream_.get());
          work(*stage, there);
        }
      },
      stage_);
}

template <class T>
template <class Work>
void CudaLegendre<T>::to_alm(const OrderRange& orders, DevicePointer<Complex> alm, const Work& work) {
  std::visit(
      [&]<class Stage>(std::unique_ptr<Stage>& stage) {
        if constexpr (std::is_same_v<typename Stage::Coefficient, Complex>) {
          work(*stage, alm);
        } else {
          DevicePointer<std::complex<double>> there = converted();
          work(*stage, there);
          kernels::convert_rows(rows(orders), real(alm), real(there), stream_.get());
        }
      },
      stage_);
}

template <class T>
void CudaLegendre<T>::synthesis(const OrderRange& orders, DevicePointer<const Complex> alm,
                                DevicePointer<Complex> delta) {
  from_alm(orders, alm, [&](auto& stage, auto there) { stage.synthesis(orders, there, delta, stream_); });
}

template <class T>
void CudaLegendre<T>::adjoint(const OrderRange& orders, DevicePointer<const Complex> delta,
                              DevicePointer<Complex> alm) {
  to_alm(orders, alm, [&](auto& stage, auto there) { stage.adjoint(orders, delta, there, stream_); });
}

template <class T>
void CudaLegendre<T>::synthesis(DevicePointer<const Complex> alm, DevicePointer<Complex> delta) {
  synthesis(OrderRange::all(task_), alm, delta);
  stream_.wait();
}

template <class T>
void CudaLegendre<T>::adjoint(DevicePointer<const Complex> delta, DevicePointer<Complex> alm) {
  adjoint(OrderRange::all(task_), delta, alm);
  stream_.wait();
}

template <class T>
void CudaLegendre<T>::analysis(DevicePointer<Complex> delta, DevicePointer<Complex> alm) {
  to_alm(OrderRange::all(task_), alm, [&](auto& stage, auto there) { stage.analysis(delta, there, stream_); });
  stream_.wait();
}

template <class T>
void CudaLegendre<T>::adjoint_analysis(DevicePointer<const Complex> alm, DevicePointer<Complex> delta) {
  from_alm(OrderRange::all(task_), alm,
           [&](auto& stage, auto there) { stage.adjoint_analysis(there, delta, stream_); });
  stream_.wait();
}

template <class T>
CudaRings<T>::CudaRings(const fft::RingTask& task, std::span<const Index> ring_lengths, Index work_bytes,
                        const kernels::Stream& stream)
    : stream_(stream), rings_(task, work_bytes, stream, {.plain = plain_lengths(ring_lengths)}) {}

template <class T>
DevicePointer<const double> CudaRings<T>::upload_factor(std::span<const double> factor) {
  if (factor.empty()) return nullptr;
  const auto count = static_cast<Index>(factor.size());
  if (factor_.size() < count) factor_ = kernels::DeviceBuffer<double>(count);
  kernels::copy(factor_.data(), factor.data(), count, stream_);
  return factor_.data();
}

template <class T>
void CudaRings<T>::synthesis(DevicePointer<const Complex> delta, std::span<const double> factor, DevicePointer<T> map) {
  rings_.synthesis(delta, upload_factor(factor), map, stream_);
  stream_.wait();
}

template <class T>
void CudaRings<T>::adjoint(DevicePointer<const T> map, std::span<const double> factor, DevicePointer<Complex> delta) {
  rings_.adjoint(map, upload_factor(factor), delta, stream_);
  stream_.wait();
}

template class CudaLegendre<float>;
template class CudaLegendre<double>;
template class CudaRings<float>;
template class CudaRings<double>;

}  // namespace armilla::backend
