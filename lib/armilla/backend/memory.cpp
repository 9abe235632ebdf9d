#include <armilla/backend/memory.hpp>
#include <armilla/core/aligned_buffer.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include <kernels/core/row_sums.hpp>

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
  void sum_products(const NumberRows& rows, const NumberWeights<double>& w, const double* x, const double* y,
                    std::span<double> sums) override {
    sum_rows(rows, w, x, y, sums);
  }
  void sum_products(const NumberRows& rows, const NumberWeights<float>& w, const float* x, const float* y,
                    std::span<double> sums) override {
    sum_rows(rows, w, x, y, sums);
  }
  void multiply_orbits(const OrbitRows& rows, const double* x, const double* from, double* to) override {
    orbits(rows, x, from, to);
  }
  void multiply_orbits(const OrbitRows& rows, const double* x, const float* from, float* to) override {
    orbits(rows, x, from, to);
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
  template <class T>
  static void sum_rows(const NumberRows& rows, const NumberWeights<T>& w, const T* x, const T* y,
                       std::span<double> sums) {
    const auto count = static_cast<Index>(rows.begin.size());
    const kernels::RowSumsTask<T> task{
        x,     y,           w.weight,          w.begin.data(), rows.begin.data(), rows.length.data(),
        count, rows.fields, rows.field_stride, sums.data()};
#pragma omp parallel for schedule(dynamic, 16)
    for (Index i = 0; i < rows.fields * count; ++i) {
      const kernels::RowTerms<T> terms(task, i / count, i % count);
      task.sums[i] = sum_of(terms, task.length[i % count]);
    }
  }
  template <class Terms>
  static double sum_of(const Terms& terms, Index length) {
    std::array<double, kernels::kSumLanes> sums{};
    Index done = 0;
    for (; done + kernels::kSumLanes <= length; done += kernels::kSumLanes)
      for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += terms(done + static_cast<Index>(lane));
    for (std::size_t lane = 0; done < length; ++done, ++lane) sums[lane] += terms(done);
    for (std::size_t half = sums.size() / 2; half > 0; half /= 2)
      for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
    return sums.front();
  }
  template <class T>
  static void orbits(const OrbitRows& rows, const double* x, const T* from, T* to) {
    const Index period = rows.ring_begin.back();
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t ring = 0; ring < rows.quarter.size(); ++ring)
      for (Index j = 0; j < rows.quarter[ring]; ++j) {
        const Index orbit = rows.first[ring] + std::min(j, rows.quarter[ring] - rows.shifted[ring] - j);
        const double weight = 1 + x[orbit];
        for (Index field = 0; field < rows.fields; ++field)
          for (Index quarter = 0; quarter < 4; ++quarter) {
            const Index pixel = field * period + rows.ring_begin[ring] + quarter * rows.quarter[ring] + j;
            to[pixel] = static_cast<T>(weight * static_cast<double>(from[pixel]));
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
