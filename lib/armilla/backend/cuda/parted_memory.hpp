#pragma once

#include <armilla/backend/memory.hpp>

#include <kernels/core/arithmetic_body.hpp>

namespace armilla::backend {

/// Host memory for arrays that pass through a device in parts: sums and products are rounded as on the device.
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
  void multiply(const double* x, double* y, Index count) override {
    for_each(kernels::MultiplyBody<double>{x, y}, count);
  }
  void multiply(const float* x, float* y, Index count) override { for_each(kernels::MultiplyBody<float>{x, y}, count); }

 private:
  template <class Body>
  static void for_each(const Body& body, Index count) {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) body(i);
  }

  std::shared_ptr<Memory> host_ = host_memory();
};

}  // namespace armilla::backend
