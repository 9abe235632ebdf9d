#pragma once

#include <armilla/backend/memory.hpp>

#include <kernels/core/arithmetic_body.hpp>

namespace armilla::backend {

/// Host memory for arrays that pass through a device in parts: sums of arrays are rounded as on the device. All else
/// has the same bits on the host.
class PartedMemory final : public Memory {
 public:
  core::MemorySpace space() const override { return core::MemorySpace::kHost; }
  int device() const override { return -1; }
  std::shared_ptr<void> allocate(Index bytes) override { return host_->allocate(bytes); }
  std::shared_ptr<void> allocate_host(Index bytes) override { return host_->allocate_host(bytes); }
  void to_host(void* host, const void* there, Index bytes) override { host_->to_host(host, there, bytes); }
  void from_host(void* there, const void* host, Index bytes) override { host_->from_host(there, host, bytes); }
  void combine(double a, const double* x, double b, double* y, Index count) override {
    for_each(kernels::CombineBody<double>{a, x, b, y}, count);
  }
  void combine(float a, const float* x, float b, float* y, Index count) override {
    for_each(kernels::CombineBody<float>{a, x, b, y}, count);
  }
  void multiply(const double* x, double* y, Index count) override { host_->multiply(x, y, count); }
  void multiply(const float* x, float* y, Index count) override { host_->multiply(x, y, count); }
  void mask(const double* x, double* y, Index count) override { host_->mask(x, y, count); }
  void mask(const float* x, float* y, Index count) override { host_->mask(x, y, count); }
  void multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<double>* alm) override {
    host_->multiply_degrees(rows, factors, alm);
  }
  void multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<float>* alm) override {
    host_->multiply_degrees(rows, factors, alm);
  }
  void sum_products(const NumberRows& rows, const NumberWeights<double>& w, const double* x, const double* y,
                    std::span<double> sums) override {
    host_->sum_products(rows, w, x, y, sums);
  }
  void sum_products(const NumberRows& rows, const NumberWeights<float>& w, const float* x, const float* y,
                    std::span<double> sums) override {
    host_->sum_products(rows, w, x, y, sums);
  }
  void multiply_orbits(const OrbitRows& rows, const double* x, const double* from, double* to) override {
    host_->multiply_orbits(rows, x, from, to);
  }
  void multiply_orbits(const OrbitRows& rows, const double* x, const float* from, float* to) override {
    host_->multiply_orbits(rows, x, from, to);
  }

 private:
  template <class Body>
  static void for_each(const Body& body, Index count) {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) body(i);
  }

  std::shared_ptr<Memory> host_ = host_memory();
};

}  // namespace armilla::backend
