#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/memory.hpp>

#include <kernels/core/device.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// The memory of device `device`, the current one, with copies and sums in a stream of its own. Any thread may use it,
/// one at a time.
class CudaMemory final : public Memory {
 public:
  explicit CudaMemory(int device) : device_(device) {}

  core::MemorySpace space() const override { return core::MemorySpace::kDevice; }
  int device() const override { return device_; }
  std::shared_ptr<void> allocate(Index bytes) override;
  std::shared_ptr<void> allocate_host(Index bytes) override;
  void to_host(void* host, const void* there, Index bytes) override;
  void from_host(void* there, const void* host, Index bytes) override;
  void combine(double a, const double* x, double b, double* y, Index count) override;
  void combine(float a, const float* x, float b, float* y, Index count) override;
  void multiply(const double* x, double* y, Index count) override;
  void multiply(const float* x, float* y, Index count) override;
  void mask(const double* x, double* y, Index count) override;
  void mask(const float* x, float* y, Index count) override;
  void multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<double>* alm) override;
  void multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<float>* alm) override;
  void sum_products(const NumberRows& rows, const NumberWeights<double>& w, const double* x, const double* y,
                    std::span<double> sums) override;
  void sum_products(const NumberRows& rows, const NumberWeights<float>& w, const float* x, const float* y,
                    std::span<double> sums) override;
  void multiply_orbits(const OrbitRows& rows, const double* x, const double* from, double* to) override;
  void multiply_orbits(const OrbitRows& rows, const double* x, const float* from, float* to) override;

  const kernels::Stream& stream() const { return stream_; }

 private:
  template <class T>
  void multiply_rows(const DegreeRows& rows, std::span<const double> factors, std::complex<T>* alm);

  template <class T>
  void sum_rows(const NumberRows& rows, const NumberWeights<T>& w, const T* x, const T* y, std::span<double> sums);

  template <class T>
  void multiply_pixels(const OrbitRows& rows, const double* x, const T* from, T* to);

  /// The stream, in a thread that has chosen the device.
  const kernels::Stream& here() const {
    kernels::set_device(device_);
    return stream_;
  }

  int device_;
  kernels::Stream stream_;
};

}  // namespace armilla::backend
