#include <armilla/backend/cuda/cuda_stages.hpp>

#include <type_traits>

#include <kernels/core/arithmetic.hpp>

namespace armilla::backend {

namespace {

template <class Number>
auto* real(std::complex<Number>* numbers) {
  return reinterpret_cast<Number*>(numbers);
}
template <class Number>
const auto* real(const std::complex<Number>* numbers) {
  return reinterpret_cast<const Number*>(numbers);
}

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
template <class Work>
void CudaLegendre<T>::from_alm(const Complex* alm, const Work& work) {
  std::visit(
      [&]<class Stage>(std::unique_ptr<Stage>& stage) {
        if constexpr (std::is_same_v<typename Stage::Coefficient, Complex>) {
          work(*stage, alm);
        } else {
          const Index count = extent(task_);
          if (converted_.size() < count) converted_ = kernels::DeviceBuffer<std::complex<double>>(count);
          kernels::convert(real(converted_.data()), real(alm), 2 * count, stream_.get());
          work(*stage, static_cast<const std::complex<double>*>(converted_.data()));
        }
      },
      stage_);
  stream_.wait();
}

template <class T>
template <class Work>
void CudaLegendre<T>::to_alm(Complex* alm, const Work& work) {
  std::visit(
      [&]<class Stage>(std::unique_ptr<Stage>& stage) {
        if constexpr (std::is_same_v<typename Stage::Coefficient, Complex>) {
          work(*stage, alm);
        } else {
          const Index count = extent(task_);
          if (converted_.size() < count) converted_ = kernels::DeviceBuffer<std::complex<double>>(count);
          work(*stage, converted_.data());
          // Coefficients of other parts stand between those of one map and the next.
          for (Index map = 0; map < task_.maps; ++map) {
            const Index begin = map * task_.map_stride;
            kernels::convert(real(alm + begin), static_cast<const double*>(real(converted_.data() + begin)),
                             2 * task_.components * task_.component_stride, stream_.get());
          }
        }
      },
      stage_);
  stream_.wait();
}

template <class T>
void CudaLegendre<T>::synthesis(const Complex* alm, Complex* delta) {
  from_alm(alm, [&](auto& stage, const auto* there) { stage.synthesis(there, delta, stream_); });
}

template <class T>
void CudaLegendre<T>::adjoint(const Complex* delta, Complex* alm) {
  to_alm(alm, [&](auto& stage, auto* there) { stage.adjoint(delta, there, stream_); });
}

template <class T>
void CudaLegendre<T>::analysis(Complex* delta, Complex* alm) {
  to_alm(alm, [&](auto& stage, auto* there) { stage.analysis(delta, there, stream_); });
}

template <class T>
void CudaLegendre<T>::adjoint_analysis(const Complex* alm, Complex* delta) {
  from_alm(alm, [&](auto& stage, const auto* there) { stage.adjoint_analysis(there, delta, stream_); });
}

template <class T>
CudaRings<T>::CudaRings(const fft::RingTask& task, std::span<const Index> ring_lengths, Index work_bytes,
                        const kernels::Stream& stream)
    : stream_(stream), rings_(task, work_bytes, stream, {.plain = plain_lengths(ring_lengths)}) {}

template <class T>
const double* CudaRings<T>::upload_factor(std::span<const double> factor) {
  if (factor.empty()) return nullptr;
  const auto count = static_cast<Index>(factor.size());
  if (factor_.size() < count) factor_ = kernels::DeviceBuffer<double>(count);
  kernels::copy(factor_.data(), factor.data(), count, stream_);
  return factor_.data();
}

template <class T>
void CudaRings<T>::synthesis(const Complex* delta, std::span<const double> factor, T* map) {
  rings_.synthesis(delta, upload_factor(factor), map, stream_);
  stream_.wait();
}

template <class T>
void CudaRings<T>::adjoint(const T* map, std::span<const double> factor, Complex* delta) {
  rings_.adjoint(map, upload_factor(factor), delta, stream_);
  stream_.wait();
}

template class CudaLegendre<float>;
template class CudaLegendre<double>;
template class CudaRings<float>;
template class CudaRings<double>;

}  // namespace armilla::backend
