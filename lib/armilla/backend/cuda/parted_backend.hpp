#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/backend/cuda/cuda_stages.hpp>
#include <armilla/backend/cuda/passage.hpp>
#include <armilla/backend/device_use.hpp>
#include <armilla/backend/pieces.hpp>

#include <memory>
#include <vector>

namespace armilla::backend {

/// Both stages of one part whose arrays stand in host memory: own m, and rings, pass through the current device in
/// pieces, each with a stage of its own, which is made for it and dropped behind it. Results are
/// bitwise identical to those of CudaBackend, but for FFTs in theta (resampling, exact quadrature): with less working
/// space cuFFT transforms fewer columns at once, and may sum in another order.
template <class T>
class PartedBackend final : public Backend<T> {
 public:
  using Complex = std::complex<T>;

  /// Takes at most `use.room` bytes of the device, by StageNeed's count. The tables of the tasks and the stream must
  /// outlive it. Throws ResourceError, which says how much it takes, where the room is too little for one m, or for one
  /// ring and its partner.
  PartedBackend(const Options& options, const legendre::Task& legendre_task, const fft::RingTask& ring_task,
                std::span<const Index> ring_lengths, const math::MeridianCircle& circle, const DeviceUse& use,
                std::shared_ptr<Passage> passage, const kernels::Stream& stream);

  void legendre_synthesis(const Complex* alm, Complex* delta, const legendre::Progress& progress) override;
  void legendre_adjoint(const Complex* delta, Complex* alm, const legendre::Progress& progress) override;
  void legendre_analysis(Complex* delta, Complex* alm, const legendre::Progress& progress) override;
  void legendre_adjoint_analysis(const Complex* alm, Complex* delta, const legendre::Progress& progress) override;
  void rings_synthesis(const Complex* delta, std::span<const double> factor, T* map) override;
  void rings_adjoint(const T* map, std::span<const double> factor, Complex* delta) override;

 private:
  /// Calls work(stage, piece, alm, delta) for all pieces of own m, with arrays on the device.
  template <class Work>
  void for_each_order_piece(const legendre::Progress& progress, const Work& work);
  /// Calls work(stage, piece, factor, delta, map) for all pieces of rings, likewise.
  template <class Work>
  void for_each_ring_piece(std::span<const double> factor, const Work& work);

  Options options_;
  legendre::Task legendre_task_;
  fft::RingTask ring_task_;
  std::vector<Index> ring_lengths_;
  math::MeridianCircle circle_;
  Index work_bytes_;
  std::shared_ptr<Passage> passage_;
  const kernels::Stream& stream_;
  DeltaSlots slots_;
  std::vector<OrderRange> orders_;
  std::vector<SlotSpan> rings_;
};

extern template class PartedBackend<float>;
extern template class PartedBackend<double>;

}  // namespace armilla::backend
