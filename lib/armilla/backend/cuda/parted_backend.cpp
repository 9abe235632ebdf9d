#include <armilla/backend/cuda/parted_backend.hpp>
#include <armilla/backend/device_need.hpp>
#include <armilla/core/error.hpp>

#include <fmt/format.h>

namespace armilla::backend {

namespace {

// What a stage leaves for the arrays of a piece.
Index room_for_arrays(const char* stage, const StageNeed& need, const DeviceUse& use) {
  if (need.in_parts(use.work_bytes) > use.room)
    throw core::ResourceError(
        fmt::format("{} in parts takes {} bytes of the GPU at least, of which {} are free for each rank: let fewer "
                    "ranks share a GPU, make the batch smaller, or use execution.backend: cpu",
                    stage, need.in_parts(use.work_bytes), use.room));
  return use.room - need.tables - need.work_at(use.work_bytes);
}

}  // namespace

template <class T>
PartedBackend<T>::PartedBackend(const Options& options, const legendre::Task& legendre_task,
                                const fft::RingTask& ring_task, std::span<const Index> ring_lengths,
                                const math::MeridianCircle& circle, const DeviceUse& use,
                                std::shared_ptr<Passage> passage, const kernels::Stream& stream)
    : options_(options),
      legendre_task_(legendre_task),
      ring_task_(ring_task),
      ring_lengths_(ring_lengths.begin(), ring_lengths.end()),
      circle_(circle),
      work_bytes_(use.work_bytes),
      passage_(std::move(passage)),
      stream_(stream),
      slots_(legendre_task) {
  const StageNeed legendre = legendre_need<T>(options, legendre_task, circle.points > 0);
  orders_ = order_ranges(order_bytes<T>(options, legendre_task), room_for_arrays("the Legendre stage", legendre, use));
  const StageNeed rings = rings_need<T>(ring_task, ring_lengths);
  rings_ = slot_ranges(slot_bytes<T>(ring_task), ring_cuts(ring_task), room_for_arrays("the ring stage", rings, use));
}

template <class T>
template <class Work>
void PartedBackend<T>::for_each_order_piece(const legendre::Progress& progress, const Work& work) {
  for (const OrderRange& range : orders_) {
    const OrderPiece piece(legendre_task_, slots_, range);
    CudaLegendre<T> stage(options_, piece.task(), circle_, work_bytes_, stream_);
    kernels::DeviceBuffer<Complex> alm(piece.alm().size());
    kernels::DeviceBuffer<Complex> delta(piece.delta().size());
    work(stage, piece, alm.data(), delta.data());
    stream_.wait();
    if (progress) progress(static_cast<double>(range.end) / static_cast<double>(legendre_task_.m.size()));
  }
}

template <class T>
template <class Work>
void PartedBackend<T>::for_each_ring_piece(std::span<const double> factor, const Work& work) {
  for (const SlotSpan& slots : rings_) {
    const RingPiece piece(ring_task_, slots);
    CudaRings<T> stage(piece.task(), ring_lengths_, work_bytes_, stream_);
    kernels::DeviceBuffer<Complex> delta(piece.delta().size());
    kernels::DeviceBuffer<T> map(piece.map().size());
    const auto own = factor.empty() ? factor
                                    : factor.subspan(static_cast<std::size_t>(slots.begin),
                                                     static_cast<std::size_t>(slots.end - slots.begin));
    work(stage, piece, own, delta.data(), map.data());
    stream_.wait();
  }
}

template <class T>
void PartedBackend<T>::legendre_synthesis(const Complex* alm, Complex* delta, const legendre::Progress& progress) {
  for_each_order_piece(progress, [&](auto& stage, const OrderPiece& piece, auto own_alm, auto own_delta) {
    passage_->to_device(alm, piece.alm(), own_alm, stream_);
    stage.synthesis(own_alm, own_delta);
    passage_->template to_host<Complex>(own_delta, piece.delta(), delta, stream_);
  });
}

template <class T>
void PartedBackend<T>::legendre_adjoint(const Complex* delta, Complex* alm, const legendre::Progress& progress) {
  for_each_order_piece(progress, [&](auto& stage, const OrderPiece& piece, auto own_alm, auto own_delta) {
    passage_->to_device(delta, piece.delta(), own_delta, stream_);
    stage.adjoint(own_delta, own_alm);
    passage_->template to_host<Complex>(own_alm, piece.alm(), alm, stream_);
  });
}

template <class T>
void PartedBackend<T>::legendre_analysis(Complex* delta, Complex* alm, const legendre::Progress& progress) {
  for_each_order_piece(progress, [&](auto& stage, const OrderPiece& piece, auto own_alm, auto own_delta) {
    passage_->to_device(delta, piece.delta(), own_delta, stream_);
    stage.analysis(own_delta, own_alm);
    passage_->template to_host<Complex>(own_alm, piece.alm(), alm, stream_);
  });
}

template <class T>
void PartedBackend<T>::legendre_adjoint_analysis(const Complex* alm, Complex* delta,
                                                 const legendre::Progress& progress) {
  for_each_order_piece(progress, [&](auto& stage, const OrderPiece& piece, auto own_alm, auto own_delta) {
    passage_->to_device(alm, piece.alm(), own_alm, stream_);
    stage.adjoint_analysis(own_alm, own_delta);
    passage_->template to_host<Complex>(own_delta, piece.delta(), delta, stream_);
  });
}

template <class T>
void PartedBackend<T>::rings_synthesis(const Complex* delta, std::span<const double> factor, T* map) {
  for_each_ring_piece(factor, [&](auto& stage, const RingPiece& piece, auto own, auto own_delta, auto own_map) {
    passage_->to_device(delta, piece.delta(), own_delta, stream_);
    stage.synthesis(own_delta, own, own_map);
    passage_->template to_host<T>(own_map, piece.map(), map, stream_);
  });
}

template <class T>
void PartedBackend<T>::rings_adjoint(const T* map, std::span<const double> factor, Complex* delta) {
  for_each_ring_piece(factor, [&](auto& stage, const RingPiece& piece, auto own, auto own_delta, auto own_map) {
    passage_->to_device(map, piece.map(), own_map, stream_);
    stage.adjoint(own_map, own, own_delta);
    passage_->template to_host<Complex>(own_delta, piece.delta(), delta, stream_);
  });
}

template class PartedBackend<float>;
template class PartedBackend<double>;

}  // namespace armilla::backend
