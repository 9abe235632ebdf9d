#include <armilla/backend/cuda/device_memory.hpp>

#include <algorithm>
#include <vector>

#include <kernels/core/arithmetic.hpp>
#include <kernels/core/inner_products.hpp>
#include <kernels/core/memory.hpp>

namespace armilla::backend {

namespace {

template <class Buffer>
std::shared_ptr<void> numbers_of(Index bytes) {
  const auto buffer = std::make_shared<Buffer>(bytes);
  return {buffer, buffer->data()};
}

}  // namespace

std::shared_ptr<void> CudaMemory::allocate(Index bytes) { return numbers_of<kernels::DeviceBuffer<char>>(bytes); }
std::shared_ptr<void> CudaMemory::allocate_host(Index bytes) { return numbers_of<kernels::PinnedBuffer<char>>(bytes); }

void CudaMemory::to_host(void* host, const void* there, Index bytes) {
  kernels::copy(static_cast<char*>(host), static_cast<const char*>(there), bytes, stream_);
  stream_.wait();
}

void CudaMemory::from_host(void* there, const void* host, Index bytes) {
  kernels::copy(static_cast<char*>(there), static_cast<const char*>(host), bytes, stream_);
  stream_.wait();
}

void CudaMemory::combine(double a, const double* x, double b, double* y, Index count) {
  kernels::combine(a, x, b, y, count, stream_.get());
  stream_.wait();
}

void CudaMemory::combine(float a, const float* x, float b, float* y, Index count) {
  kernels::combine(a, x, b, y, count, stream_.get());
  stream_.wait();
}

void CudaMemory::multiply(const double* x, double* y, Index count) {
  kernels::multiply(x, y, count, stream_.get());
  stream_.wait();
}

void CudaMemory::multiply(const float* x, float* y, Index count) {
  kernels::multiply(x, y, count, stream_.get());
  stream_.wait();
}

void CudaMemory::mask(const double* x, double* y, Index count) {
  kernels::mask(x, y, count, stream_.get());
  stream_.wait();
}

void CudaMemory::mask(const float* x, float* y, Index count) {
  kernels::mask(x, y, count, stream_.get());
  stream_.wait();
}

template <class T>
void CudaMemory::multiply_rows(const DegreeRows& rows, std::span<const double> factors, std::complex<T>* alm) {
  const auto m = kernels::upload<Index>(rows.m, stream_);
  const auto offset = kernels::upload<Index>(rows.offset, stream_);
  const auto there = kernels::upload<double>(factors, stream_);
  kernels::multiply_rows({m.data(), offset.data(), m.size(), rows.degrees, rows.fields, rows.field_stride},
                         there.data(), reinterpret_cast<T*>(alm), stream_.get());
  stream_.wait();
}

void CudaMemory::multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<double>* alm) {
  multiply_rows(rows, factors, alm);
}

void CudaMemory::multiply_degrees(const DegreeRows& rows, std::span<const double> factors, std::complex<float>* alm) {
  multiply_rows(rows, factors, alm);
}

namespace {

// Tables of inner products on the device, and how many blocks work on each: a thread has eight terms or more.
struct ProductTables {
  ProductTables(const InnerProducts& products, const kernels::Stream& stream)
      : begin(kernels::upload<Index>(products.begin, stream)), length(kernels::upload<Index>(products.length, stream)) {
    constexpr Index kTerms = 2048;
    constexpr Index kMostBlocks = 1024;
    const Index longest = products.length.empty() ? 0 : std::ranges::max(products.length);
    blocks = std::min((longest + kTerms - 1) / kTerms, kMostBlocks);
  }
  kernels::InnerSystems systems() const { return {begin.data(), length.data(), begin.size(), blocks}; }
  Index all() const { return begin.size() * blocks; }

  kernels::DeviceBuffer<Index> begin, length;
  Index blocks = 0;
};

template <class T>
kernels::InnerTerms<T> terms_of(const InnerProducts& products, const std::complex<T>* x, const std::complex<T>* y) {
  return {reinterpret_cast<const T*>(x), reinterpret_cast<const T*>(y), products.period, products.once_begin,
          products.once_end};
}

std::vector<double> download(const kernels::DeviceBuffer<double>& from, const kernels::Stream& stream) {
  std::vector<double> numbers(static_cast<std::size_t>(from.size()));
  kernels::copy(numbers.data(), from.data(), from.size(), stream);
  stream.wait();
  return numbers;
}

}  // namespace

template <class T>
void CudaMemory::find_largest(const InnerProducts& products, const std::complex<T>* x, const std::complex<T>* y,
                              std::span<double> largest) {
  const ProductTables tables(products, stream_);
  kernels::DeviceBuffer<double> there(tables.all());
  kernels::largest_products(tables.systems(), terms_of(products, x, y), there.data(), stream_.get());
  const std::vector<double> of_block = download(there, stream_);
  std::ranges::fill(largest, 0.0);
  for (std::size_t i = 0; i < of_block.size(); ++i) {
    double& own = largest[i / static_cast<std::size_t>(tables.blocks)];
    own = std::max(own, of_block[i]);
  }
}

template <class T>
void CudaMemory::sum(const InnerProducts& products, const std::complex<T>* x, const std::complex<T>* y,
                     std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts) {
  const ProductTables tables(products, stream_);
  const std::span<const double> levels(grids.empty() ? nullptr : grids.front().data(), grids.size() * math::kSumLevels);
  const auto grids_there = kernels::upload<double>(levels, stream_);
  kernels::DeviceBuffer<double> there(tables.all() * math::kSumLevels);
  kernels::sum_products(tables.systems(), terms_of(products, x, y), grids_there.data(), there.data(), stream_.get());
  const std::vector<double> of_block = download(there, stream_);
  std::ranges::fill(parts, math::SumGrids{});
  for (std::size_t i = 0; i < of_block.size(); ++i)
    parts[i / math::kSumLevels / static_cast<std::size_t>(tables.blocks)][i % math::kSumLevels] += of_block[i];
}

void CudaMemory::largest_products(const InnerProducts& products, const std::complex<double>* x,
                                  const std::complex<double>* y, std::span<double> largest) {
  find_largest(products, x, y, largest);
}

void CudaMemory::largest_products(const InnerProducts& products, const std::complex<float>* x,
                                  const std::complex<float>* y, std::span<double> largest) {
  find_largest(products, x, y, largest);
}

void CudaMemory::sum_products(const InnerProducts& products, const std::complex<double>* x,
                              const std::complex<double>* y, std::span<const math::SumGrids> grids,
                              std::span<math::SumGrids> parts) {
  sum(products, x, y, grids, parts);
}

void CudaMemory::sum_products(const InnerProducts& products, const std::complex<float>* x, const std::complex<float>* y,
                              std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts) {
  sum(products, x, y, grids, parts);
}

}  // namespace armilla::backend
