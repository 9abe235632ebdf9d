#include <armilla/backend/cuda/cuda_backend.hpp>

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
CudaBackend<T>::CudaBackend(const Options& options, const legendre::Task& legendre_task, const fft::RingTask& ring_task,
                            std::span<const Index> ring_lengths, const math::MeridianCircle& circle, Index work_bytes,
                            const kernels::Stream& stream)
    : legendre_task_(legendre_task),
      stream_(stream),
      rings_(ring_task, work_bytes, stream, {.plain = plain_lengths(ring_lengths)}) {
  if (is_resampled(options, legendre_task.lmax, legendre_task.pairs()))
    stage_ = std::make_unique<DeviceResampled<T>>(legendre_task, circle, work_bytes, stream);
  else
    stage_ = std::make_unique<DevicePlain<T>>(legendre_task, circle, work_bytes, stream);
}

template <class T>
template <class Work>
void CudaBackend<T>::from_alm(const Complex* alm, const legendre::Progress& progress, const Work& work) {
  std::visit(
      [&]<class Stage>(std::unique_ptr<Stage>& stage) {
        if constexpr (std::is_same_v<typename Stage::Coefficient, Complex>) {
          work(*stage, alm);
        } else {
          const Index count = extent(legendre_task_);
          if (converted_.size() < count) converted_ = kernels::DeviceBuffer<std::complex<double>>(count);
          kernels::convert(real(converted_.data()), real(alm), 2 * count, stream_.get());
          work(*stage, static_cast<const std::complex<double>*>(converted_.data()));
        }
      },
      stage_);
  stream_.wait();
  if (progress) progress(1);
}

template <class T>
template <class Work>
void CudaBackend<T>::to_alm(Complex* alm, const legendre::Progress& progress, const Work& work) {
  std::visit(
      [&]<class Stage>(std::unique_ptr<Stage>& stage) {
        if constexpr (std::is_same_v<typename Stage::Coefficient, Complex>) {
          work(*stage, alm);
        } else {
          const Index count = extent(legendre_task_);
          if (converted_.size() < count) converted_ = kernels::DeviceBuffer<std::complex<double>>(count);
          work(*stage, converted_.data());
          // Coefficients of other parts stand between those of one map and the next.
          for (Index map = 0; map < legendre_task_.maps; ++map) {
            const Index begin = map * legendre_task_.map_stride;
            kernels::convert(real(alm + begin), static_cast<const double*>(real(converted_.data() + begin)),
                             2 * legendre_task_.components * legendre_task_.component_stride, stream_.get());
          }
        }
      },
      stage_);
  stream_.wait();
  if (progress) progress(1);
}

template <class T>
void CudaBackend<T>::legendre_synthesis(const Complex* alm, Complex* delta, const legendre::Progress& progress) {
  from_alm(alm, progress, [&](auto& stage, const auto* there) { stage.synthesis(there, delta, stream_); });
}

template <class T>
void CudaBackend<T>::legendre_adjoint(const Complex* delta, Complex* alm, const legendre::Progress& progress) {
  to_alm(alm, progress, [&](auto& stage, auto* there) { stage.adjoint(delta, there, stream_); });
}

template <class T>
void CudaBackend<T>::legendre_analysis(Complex* delta, Complex* alm, const legendre::Progress& progress) {
  to_alm(alm, progress, [&](auto& stage, auto* there) { stage.analysis(delta, there, stream_); });
}

template <class T>
void CudaBackend<T>::legendre_adjoint_analysis(const Complex* alm, Complex* delta, const legendre::Progress& progress) {
  from_alm(alm, progress, [&](auto& stage, const auto* there) { stage.adjoint_analysis(there, delta, stream_); });
}

template <class T>
const double* CudaBackend<T>::upload_factor(std::span<const double> factor) {
  if (factor.empty()) return nullptr;
  const auto count = static_cast<Index>(factor.size());
  if (factor_.size() < count) factor_ = kernels::DeviceBuffer<double>(count);
  kernels::copy(factor_.data(), factor.data(), count, stream_);
  return factor_.data();
}

template <class T>
void CudaBackend<T>::rings_synthesis(const Complex* delta, std::span<const double> factor, T* map) {
  rings_.synthesis(delta, upload_factor(factor), map, stream_);
  stream_.wait();
}

template <class T>
void CudaBackend<T>::rings_adjoint(const T* map, std::span<const double> factor, Complex* delta) {
  rings_.adjoint(map, upload_factor(factor), delta, stream_);
  stream_.wait();
}

template class CudaBackend<float>;
template class CudaBackend<double>;

}  // namespace armilla::backend
