#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/backend/cuda/cuda_ring_modes.hpp>
#include <armilla/backend/cuda/cuda_stages.hpp>
#include <armilla/backend/cuda/device_numbers.hpp>

#include <optional>

namespace armilla::backend {

/// Both stages of one part on the current device, with all arrays there.
template <class T>
class CudaBackend final : public Backend<T> {
 public:
  using Complex = std::complex<T>;

  /// As CudaLegendre and CudaRings; the tables of both tasks must outlive it.
  CudaBackend(const Options& options, const legendre::Task& legendre_task, const fft::RingTask& ring_task,
              std::span<const Index> ring_lengths, const math::MeridianCircle& circle, Index work_bytes,
              const kernels::Stream& stream)
      : rings_(ring_task, ring_lengths, work_bytes, stream),
        legendre_(options, legendre_task, circle, work_bytes, stream),
        ring_task_(ring_task),
        own_m_(OrderRange::all(legendre_task)),
        stream_(stream) {}

  void legendre_synthesis(const Complex* alm, Complex* delta, const legendre::Progress& progress) override {
    legendre_.synthesis(DevicePointer(alm), DevicePointer(delta));
    if (progress) progress(1);
  }
  void legendre_adjoint(const Complex* delta, Complex* alm, const legendre::Progress& progress) override {
    legendre_.adjoint(DevicePointer(delta), DevicePointer(alm));
    if (progress) progress(1);
  }
  void legendre_analysis(Complex* delta, Complex* alm, const legendre::Progress& progress) override {
    legendre_.analysis(DevicePointer(delta), DevicePointer(alm));
    if (progress) progress(1);
  }
  void legendre_adjoint_analysis(const Complex* alm, Complex* delta, const legendre::Progress& progress) override {
    legendre_.adjoint_analysis(DevicePointer(alm), DevicePointer(delta));
    if (progress) progress(1);
  }
  void rings_synthesis(const Complex* delta, std::span<const double> factor, T* map) override {
    rings_.synthesis(DevicePointer(delta), factor, DevicePointer(map));
  }
  void rings_adjoint(const T* map, std::span<const double> factor, Complex* delta) override {
    rings_.adjoint(DevicePointer(map), factor, DevicePointer(delta));
  }
  RingModeStage<T>* ring_modes() override {
    if (!ring_modes_) ring_modes_.emplace(ring_task_, legendre_, own_m_, stream_);
    return &*ring_modes_;
  }

 private:
  CudaRings<T> rings_;
  CudaLegendre<T> legendre_;
  fft::RingTask ring_task_;
  OrderRange own_m_;
  const kernels::Stream& stream_;
  std::optional<CudaRingModes<T>> ring_modes_;
};

}  // namespace armilla::backend
