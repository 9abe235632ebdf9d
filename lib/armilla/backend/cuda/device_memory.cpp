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

// Tables of sums on the device, and how many blocks work on each: a thread has eight terms or more.
struct SumTables {
  SumTables(std::span<const Index> begins, std::span<const Index> lengths, const kernels::Stream& stream)
      : begin(kernels::upload<Index>(begins, stream)), length(kernels::upload<Index>(lengths, stream)) {
    constexpr Index kTerms = 2048;
    constexpr Index kMostBlocks = 1024;
    const Index longest = lengths.empty() ? 0 : std::ranges::max(lengths);
    blocks = std::min((longest + kTerms - 1) / kTerms, kMostBlocks);
  }
  kernels::InnerSystems systems() const { return {begin.data(), length.data(), begin.size(), blocks}; }
  Index all() const { return begin.size() * blocks; }

  kernels::DeviceBuffer<Index> begin, length;
  Index blocks = 0;
};

// Terms that need no tables.
template <class T>
struct ProductsThere {
  ProductsThere(const InnerProducts& products, const std::complex<T>* x, const std::complex<T>* y,
                const kernels::Stream& stream)
      : sums(products.begin, products.length, stream),
        terms{reinterpret_cast<const T*>(x), reinterpret_cast<const T*>(y), products.period, products.once_begin,
              products.once_end} {}

  SumTables sums;
  kernels::InnerTerms<T> terms;
};

// Terms with theirs.
template <class T>
struct SquaresThere {
  SquaresThere(const WeightedSquares<T>& squares, const T* x, const kernels::Stream& stream)
      : sums(squares.begin, squares.length, stream),
        ring_begin(kernels::upload<Index>(squares.ring_begin, stream)),
        weight_begin(kernels::upload<Index>(squares.weight_begin, stream)),
        ring_weight(kernels::upload<double>(squares.ring_weight, stream)),
        terms{x,
              squares.period,
              {ring_begin.data(), ring_begin.size() - 1},
              ring_weight.data(),
              squares.pixel_weight,
              weight_begin.data(),
              squares.weight_period} {}

  SumTables sums;
  kernels::DeviceBuffer<Index> ring_begin, weight_begin;
  kernels::DeviceBuffer<double> ring_weight;
  kernels::SquareTerms<T> terms;
};

std::vector<double> download(const kernels::DeviceBuffer<double>& from, const kernels::Stream& stream) {
  std::vector<double> numbers(static_cast<std::size_t>(from.size()));
  kernels::copy(numbers.data(), from.data(), from.size(), stream);
  stream.wait();
  return numbers;
}

template <class There>
void find_largest(const There& there, std::span<double> largest, const kernels::Stream& stream) {
  kernels::DeviceBuffer<double> of_blocks(there.sums.all());
  kernels::largest_products(there.sums.systems(), there.terms, of_blocks.data(), stream.get());
  const std::vector<double> of_block = download(of_blocks, stream);
  std::ranges::fill(largest, 0.0);
  for (std::size_t i = 0; i < of_block.size(); ++i) {
    double& own = largest[i / static_cast<std::size_t>(there.sums.blocks)];
    own = std::max(own, of_block[i]);
  }
}

template <class There>
void sum_parts(const There& there, std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts,
               const kernels::Stream& stream) {
  const std::span<const double> levels(grids.empty() ? nullptr : grids.front().data(), grids.size() * math::kSumLevels);
  const auto grids_there = kernels::upload<double>(levels, stream);
  kernels::DeviceBuffer<double> of_blocks(there.sums.all() * math::kSumLevels);
  kernels::sum_products(there.sums.systems(), there.terms, grids_there.data(), of_blocks.data(), stream.get());
  const std::vector<double> of_block = download(of_blocks, stream);
  std::ranges::fill(parts, math::SumGrids{});
  for (std::size_t i = 0; i < of_block.size(); ++i)
    parts[i / math::kSumLevels / static_cast<std::size_t>(there.sums.blocks)][i % math::kSumLevels] += of_block[i];
}

}  // namespace

void CudaMemory::largest_products(const InnerProducts& products, const std::complex<double>* x,
                                  const std::complex<double>* y, std::span<double> largest) {
  find_largest(ProductsThere<double>(products, x, y, stream_), largest, stream_);
}

void CudaMemory::largest_products(const InnerProducts& products, const std::complex<float>* x,
                                  const std::complex<float>* y, std::span<double> largest) {
  find_largest(ProductsThere<float>(products, x, y, stream_), largest, stream_);
}

void CudaMemory::sum_products(const InnerProducts& products, const std::complex<double>* x,
                              const std::complex<double>* y, std::span<const math::SumGrids> grids,
                              std::span<math::SumGrids> parts) {
  sum_parts(ProductsThere<double>(products, x, y, stream_), grids, parts, stream_);
}

void CudaMemory::sum_products(const InnerProducts& products, const std::complex<float>* x, const std::complex<float>* y,
                              std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts) {
  sum_parts(ProductsThere<float>(products, x, y, stream_), grids, parts, stream_);
}

void CudaMemory::largest_squares(const WeightedSquares<double>& squares, const double* x, std::span<double> largest) {
  find_largest(SquaresThere<double>(squares, x, stream_), largest, stream_);
}

void CudaMemory::largest_squares(const WeightedSquares<float>& squares, const float* x, std::span<double> largest) {
  find_largest(SquaresThere<float>(squares, x, stream_), largest, stream_);
}

void CudaMemory::sum_squares(const WeightedSquares<double>& squares, const double* x,
                             std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts) {
  sum_parts(SquaresThere<double>(squares, x, stream_), grids, parts, stream_);
}

void CudaMemory::sum_squares(const WeightedSquares<float>& squares, const float* x,
                             std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts) {
  sum_parts(SquaresThere<float>(squares, x, stream_), grids, parts, stream_);
}

template <class T>
void CudaMemory::multiply_pixels(const OrbitRows& rows, const double* x, const T* from, T* to) {
  const auto ring_begin = kernels::upload<Index>(rows.ring_begin, stream_);
  const auto quarter = kernels::upload<Index>(rows.quarter, stream_);
  const auto shifted = kernels::upload<Index>(rows.shifted, stream_);
  const auto first = kernels::upload<Index>(rows.first, stream_);
  const Index period = rows.ring_begin.back();
  kernels::multiply_orbits({{ring_begin.data(), quarter.size()}, quarter.data(), shifted.data(), first.data()}, x,
                           period, from, to, rows.fields * period, stream_.get());
  stream_.wait();
}

void CudaMemory::multiply_orbits(const OrbitRows& rows, const double* x, const double* from, double* to) {
  multiply_pixels(rows, x, from, to);
}

void CudaMemory::multiply_orbits(const OrbitRows& rows, const double* x, const float* from, float* to) {
  multiply_pixels(rows, x, from, to);
}

}  // namespace armilla::backend
