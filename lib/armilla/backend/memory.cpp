#include <armilla/backend/memory.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <kernels/core/row_sums.hpp>
#include <kernels/lensing/displacement.hpp>

namespace armilla::backend {

namespace {

template <class Terms>
double sum_of(const Terms& terms, Index length) {
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
class HostArrayOps final : public ArrayOps<T> {
 public:
  void combine(T a, const T* x, T b, T* y, Index count) const override {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) y[i] = a * x[i] + b * y[i];
  }
  void multiply(const T* x, T* y, Index count) const override {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) y[i] *= x[i];
  }
  void mask(const T* x, T* y, Index count) const override {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) y[i] = x[i] == T{0} ? T{0} : y[i] * x[i];
  }
  void multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<T>* alm) const override {
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
  void multiply_orders(const DegreeRows& rows, std::span<const T> factors, const std::complex<T>* from,
                       std::complex<T>* to) const override {
#pragma omp parallel for collapse(2) schedule(static)
    for (Index field = 0; field < rows.fields; ++field)
      for (std::size_t k = 0; k < rows.m.size(); ++k) {
        const Index row = field * rows.field_stride + rows.offset[k];
        for (Index l = rows.m[k]; l < rows.degrees; ++l) to[row + l] = factors[k] * from[row + l];
      }
  }
  void sum_products(const NumberRows& rows, const NumberWeights<T>& w, const T* x, const T* y,
                    std::span<double> sums) const override {
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
  void multiply_orbits(const OrbitRings& rings, const double* x, const T* from, T* to) const override {
    const Index period = rings.begin.back();
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t ring = 0; ring < rings.quarter.size(); ++ring)
      for (Index j = 0; j < rings.quarter[ring]; ++j) {
        const Index orbit = rings.first[ring] + std::min(j, rings.quarter[ring] - rings.shifted[ring] - j);
        const double weight = 1 + x[orbit];
        for (Index field = 0; field < rings.fields; ++field)
          for (Index quarter = 0; quarter < 4; ++quarter) {
            const Index pixel = field * period + rings.begin[ring] + quarter * rings.quarter[ring] + j;
            to[pixel] = static_cast<T>(weight * static_cast<double>(from[pixel]));
          }
      }
  }
  void displace(const MapRings& rings, const T* south, const T* east, double* theta, double* phi,
                double* gamma) const override {
#pragma omp parallel for schedule(dynamic, 4)
    for (std::size_t r = 0; r < rings.count(); ++r)
      for (Index i = rings.begin[r]; i < rings.begin[r + 1]; ++i) {
        const kernels::Displacement moved(rings.rings[r], static_cast<double>(south[i]), static_cast<double>(east[i]));
        theta[i] = moved.theta;
        phi[i] = moved.phi(rings.rings[r], i - rings.begin[r]);
        gamma[i] = moved.gamma;
      }
  }
  void turn(Index spin, const double* gamma, T* first, T* second, Index count) const override {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i) kernels::turn_tensor(static_cast<double>(spin) * gamma[i], first[i], second[i]);
  }
  kernels::DeflectionFaults find_faults(const T* south, const T* east, const T* determinant,
                                        Index count) const override {
    kernels::DeflectionFaults all = kernels::DeflectionFaults::none();
#pragma omp parallel
    {
      kernels::DeflectionFaults own = kernels::DeflectionFaults::none();
#pragma omp for schedule(static)
      for (Index i = 0; i < count; ++i) {
        own.add(static_cast<double>(south[i]), static_cast<double>(east[i]));
        if (determinant != nullptr) own.add_determinant(static_cast<double>(determinant[i]));
      }
#pragma omp critical(armilla_deflection_faults)
      all.add(own);
    }
    return all;
  }
  void scale(const double* factors, const T* from, T* to, Index count) const override {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < count; ++i)
      to[i] = factors == nullptr ? from[i] : static_cast<T>(factors[i] * static_cast<double>(from[i]));
  }
};

class HostMemory final : public Memory {
 public:
  core::MemorySpace space() const override { return core::MemorySpace::kHost; }
  int device() const override { return -1; }
  int device_of(const void*) const override { return -1; }
  std::shared_ptr<void> allocate(Index bytes) override {
    const auto buffer = std::make_shared<core::AlignedBuffer<char>>(bytes);
    return {buffer, buffer->data()};
  }
  std::shared_ptr<void> allocate_host(Index bytes) override { return allocate(bytes); }
  void to_host(void* host, const void* there, Index bytes) override { copy(host, there, bytes); }
  void from_host(void* there, const void* host, Index bytes) override { copy(there, host, bytes); }

 private:
  AllOps all_ops() const override { return {&single_ops_, &double_ops_}; }

  static void copy(void* to, const void* from, Index bytes) {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }

  HostArrayOps<float> single_ops_;
  HostArrayOps<double> double_ops_;
};

}  // namespace

void check_lent(const Memory& memory, const void* address, Index bytes, Index alignment) {
  if (bytes == 0) return;
  const auto* begin = static_cast<const char*>(address);
  for (const char* at : {begin, begin + bytes - 1}) {
    const int device = memory.device_of(at);
    if (device == memory.device()) continue;
    throw core::InputError(
        at != begin
            ? fmt::format("the memory at address {} ends before {} bytes: pass a larger array", address, bytes)
            : fmt::format("address {} is {}, but the transform computes on GPU {}: pass memory of this GPU", address,
                          device < 0 ? "not memory of a GPU" : fmt::format("on GPU {}", device), memory.device()));
  }
  if (reinterpret_cast<std::uintptr_t>(address) % static_cast<std::uintptr_t>(alignment) != 0)
    throw core::InputError(
        fmt::format("address {} is not a multiple of {} bytes: align the array", address, alignment));
}

std::shared_ptr<Memory> host_memory() { return std::make_shared<HostMemory>(); }

}  // namespace armilla::backend
