#include <armilla/backend/memory.hpp>
#include <armilla/core/aligned_buffer.hpp>

#include <cstring>

namespace armilla::backend {

namespace {

class HostMemory final : public Memory {
 public:
  core::MemorySpace space() const override { return core::MemorySpace::kHost; }
  int device() const override { return -1; }
  std::shared_ptr<void> allocate(Index bytes) override {
    const auto buffer = std::make_shared<core::AlignedBuffer<char>>(bytes);
    return {buffer, buffer->data()};
  }
  std::shared_ptr<void> allocate_host(Index bytes) override { return allocate(bytes); }
  void to_host(void* host, const void* there, Index bytes) override { copy(host, there, bytes); }
  void from_host(void* there, const void* host, Index bytes) override { copy(there, host, bytes); }
  void combine(double a, const double* x, double b, double* y, Index count) override { add(a, x, b, y, count); }
  void combine(float a, const float* x, float b, float* y, Index count) override { add(a, x, b, y, count); }
  void multiply(const double* x, double* y, Index count) override { product(x, y, count); }
  void multiply(const float* x, float* y, Index count) override { product(x, y, count); }
  void mask(const double* x, double* y, Index count) override { masked(x, y, count); }
  void mask(const float* x, float* y, Index count) override { masked(x, y, count); }
  void multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<double>* alm) override {
    degrees(rows, factors, alm);
  }
  void multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<float>* alm) override {
    degrees(rows, factors, alm);
  }

 private:
  template <class T>
  static void add(T a, const T* x, T b, T* y, Index count) {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) y[i] = a * x[i] + b * y[i];
  }
  template <class T>
  static void product(const T* x, T* y, Index count) {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) y[i] *= x[i];
  }
  template <class T>
  static void masked(const T* x, T* y, Index count) {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) y[i] = x[i] == T{0} ? T{0} : y[i] * x[i];
  }
  template <class T>
  static void degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<T>* alm) {
#pragma omp parallel for collapse(2) schedule(dynamic, 8)
    for (Index field = 0; field < rows.fields; ++field)
      for (std::size_t k = 0; k < rows.m.size(); ++k) {
        std::complex<T>* row = alm + field * rows.field_stride + rows.offset[k];
        for (Index l = rows.m[k]; l < rows.degrees; ++l) {
          const std::complex<double> product = factors[static_cast<std::size_t>(l)] * std::complex<double>(row[l]);
          row[l] = {static_cast<T>(product.real()), static_cast<T>(product.imag())};
        }
      }
  }
  static void copy(void* to, const void* from, Index bytes) {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
};

}  // namespace

std::shared_ptr<Memory> host_memory() { return std::make_shared<HostMemory>(); }

}  // namespace armilla::backend
