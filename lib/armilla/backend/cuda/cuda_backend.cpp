#include <armilla/backend/cuda/cuda_backend.hpp>

#include <algorithm>
#include <type_traits>

namespace armilla::backend {

namespace {

// Coefficients of one map of a part, with all its components.
Index coefficients(const legendre::Task& task) { return task.components * task.component_stride; }
Index pixels(const fft::RingTask& task) { return task.components * task.component_stride; }

legendre::Task compact(legendre::Task task) {
  task.map_stride = coefficients(task);
  return task;
}

fft::RingTask compact(fft::RingTask task) {
  task.map_stride = pixels(task);
  return task;
}

template <class Number>
Number* room_for(kernels::DeviceBuffer<char>& buffer, Index count) {
  const Index bytes = count * static_cast<Index>(sizeof(Number));
  if (buffer.size() < bytes) {
    buffer = {};
    buffer = kernels::DeviceBuffer<char>(bytes);
  }
  return reinterpret_cast<Number*>(buffer.data());
}

}  // namespace

template <class T>
CudaBackend<T>::CudaBackend(const Options& options, const legendre::Task& legendre_task, const fft::RingTask& ring_task,
                            const math::MeridianCircle& circle, Index work_bytes, const kernels::Stream& stream,
                            DeviceScratch& scratch)
    : legendre_task_(compact(legendre_task)),
      ring_task_(compact(ring_task)),
      host_alm_stride_(legendre_task.map_stride),
      host_map_stride_(ring_task.map_stride),
      stream_(stream),
      scratch_(scratch),
      rings_(ring_task_, work_bytes, stream) {
  if (is_resampled(options, legendre_task_.lmax, legendre_task_.pairs()))
    stage_ = std::make_unique<DeviceResampled<T>>(legendre_task_, circle, work_bytes, stream);
  else
    stage_ = std::make_unique<DevicePlain<T>>(legendre_task_, circle, work_bytes, stream);
}

template <class T>
template <class Number>
Number* CudaBackend<T>::upload_alm(const Complex* alm) {
  const Index of_map = coefficients(legendre_task_);
  auto* there = room_for<Number>(scratch_.alm, legendre_task_.maps * of_map);
  for (Index map = 0; map < legendre_task_.maps; ++map) {
    const Complex* from = alm + map * host_alm_stride_;
    if constexpr (std::is_same_v<Number, Complex>) {
      kernels::copy(there + map * of_map, from, of_map, stream_);
    } else {
      converted_.assign(from, from + of_map);
      kernels::copy(there + map * of_map, static_cast<const Number*>(converted_.data()), of_map, stream_);
      stream_.wait();
    }
  }
  return there;
}

template <class T>
template <class Number>
void CudaBackend<T>::download_alm(const Number* numbers, Complex* alm) {
  const Index of_map = coefficients(legendre_task_);
  for (Index map = 0; map < legendre_task_.maps; ++map) {
    Complex* to = alm + map * host_alm_stride_;
    if constexpr (std::is_same_v<Number, Complex>) {
      kernels::copy(to, numbers + map * of_map, of_map, stream_);
    } else {
      converted_.resize(static_cast<std::size_t>(of_map));
      kernels::copy(converted_.data(), numbers + map * of_map, of_map, stream_);
      stream_.wait();
      std::transform(converted_.begin(), converted_.end(), to, [](const Number& c) { return Complex(c); });
    }
  }
  stream_.wait();
}

template <class T>
template <class Work>
void CudaBackend<T>::from_alm(const Complex* alm, const legendre::Progress& progress, const Work& work) {
  std::visit(
      [&]<class Stage>(std::unique_ptr<Stage>& stage) {
        work(*stage, upload_alm<typename Stage::Coefficient>(alm));
        stream_.wait();
      },
      stage_);
  if (progress) progress(1);
}

template <class T>
template <class Work>
void CudaBackend<T>::to_alm(Complex* alm, const legendre::Progress& progress, const Work& work) {
  std::visit(
      [&]<class Stage>(std::unique_ptr<Stage>& stage) {
        using Coefficient = typename Stage::Coefficient;
        auto* there = room_for<Coefficient>(scratch_.alm, legendre_task_.maps * coefficients(legendre_task_));
        work(*stage, there);
        download_alm<Coefficient>(there, alm);
      },
      stage_);
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
  auto* there = room_for<double>(scratch_.factor, count);
  kernels::copy(there, factor.data(), count, stream_);
  return there;
}

template <class T>
void CudaBackend<T>::rings_synthesis(const Complex* delta, std::span<const double> factor, T* map) {
  const Index of_map = pixels(ring_task_);
  T* there = room_for<T>(scratch_.map, ring_task_.maps * of_map);
  rings_.synthesis(delta, upload_factor(factor), there, stream_);
  for (Index k = 0; k < ring_task_.maps; ++k)
    kernels::copy(map + k * host_map_stride_, static_cast<const T*>(there) + k * of_map, of_map, stream_);
  stream_.wait();
}

template <class T>
void CudaBackend<T>::rings_adjoint(const T* map, std::span<const double> factor, Complex* delta) {
  const Index of_map = pixels(ring_task_);
  T* there = room_for<T>(scratch_.map, ring_task_.maps * of_map);
  for (Index k = 0; k < ring_task_.maps; ++k)
    kernels::copy(there + k * of_map, map + k * host_map_stride_, of_map, stream_);
  rings_.adjoint(there, upload_factor(factor), delta, stream_);
  stream_.wait();
}

template class CudaBackend<float>;
template class CudaBackend<double>;

}  // namespace armilla::backend
