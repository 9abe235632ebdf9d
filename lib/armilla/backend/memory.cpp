#include <armilla/backend/memory.hpp>
#include <armilla/core/aligned_buffer.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include <kernels/core/inner_products.hpp>

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
  void largest_products(const InnerProducts& products, const std::complex<double>* x, const std::complex<double>* y,
                        std::span<double> largest) override {
    find_largest(terms_of(products, x, y), products.begin, products.length, largest);
  }
  void largest_products(const InnerProducts& products, const std::complex<float>* x, const std::complex<float>* y,
                        std::span<double> largest) override {
    find_largest(terms_of(products, x, y), products.begin, products.length, largest);
  }
  void sum_products(const InnerProducts& products, const std::complex<double>* x, const std::complex<double>* y,
                    std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts) override {
    sum(terms_of(products, x, y), products.begin, products.length, grids, parts);
  }
  void sum_products(const InnerProducts& products, const std::complex<float>* x, const std::complex<float>* y,
                    std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts) override {
    sum(terms_of(products, x, y), products.begin, products.length, grids, parts);
  }
  void largest_squares(const WeightedSquares<double>& squares, const double* x, std::span<double> largest) override {
    find_largest(terms_of(squares, x), squares.begin, squares.length, largest);
  }
  void largest_squares(const WeightedSquares<float>& squares, const float* x, std::span<double> largest) override {
    find_largest(terms_of(squares, x), squares.begin, squares.length, largest);
  }
  void sum_squares(const WeightedSquares<double>& squares, const double* x, std::span<const math::SumGrids> grids,
                   std::span<math::SumGrids> parts) override {
    sum(terms_of(squares, x), squares.begin, squares.length, grids, parts);
  }
  void sum_squares(const WeightedSquares<float>& squares, const float* x, std::span<const math::SumGrids> grids,
                   std::span<math::SumGrids> parts) override {
    sum(terms_of(squares, x), squares.begin, squares.length, grids, parts);
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
  static constexpr Index kBlock = 4096;  // terms that one thread takes at a time

  template <class T>
  static kernels::InnerTerms<T> terms_of(const InnerProducts& products, const std::complex<T>* x,
                                         const std::complex<T>* y) {
    return {reinterpret_cast<const T*>(x), reinterpret_cast<const T*>(y), products.period, products.once_begin,
            products.once_end};
  }
  template <class T>
  static kernels::SquareTerms<T> terms_of(const WeightedSquares<T>& squares, const T* x) {
    return {x,
            squares.period,
            {squares.ring_begin.data(), static_cast<Index>(squares.ring_begin.size()) - 1},
            squares.ring_weight.data(),
            squares.pixel_weight,
            squares.weight_begin.data(),
            squares.weight_period};
  }

  // Calls visit(system, number of the block, add), where add calls body(term) for the terms of the block.
  template <class Terms, class Visit>
  static void visit_blocks(const Terms& terms, std::span<const Index> begin, std::span<const Index> length,
                           const Visit& visit) {
    const Index blocks = blocks_of(length);
    const auto all = static_cast<Index>(begin.size()) * blocks;
#pragma omp parallel for schedule(dynamic, 4)
    for (Index number = 0; number < all; ++number) {
      const auto system = static_cast<std::size_t>(number / blocks);
      const Index first = number % blocks * kBlock;
      const Index last = std::min(length[system], first + kBlock);
      visit(system, static_cast<std::size_t>(number), [&](auto&& body) {
        Index ring = 0;
        for (Index i = first; i < last; ++i) body(terms(static_cast<Index>(system), begin[system], i, ring));
      });
    }
  }
  static Index blocks_of(std::span<const Index> length) {
    const Index longest = length.empty() ? 0 : std::ranges::max(length);
    return (longest + kBlock - 1) / kBlock;
  }
  template <class Terms>
  static void find_largest(const Terms& terms, std::span<const Index> begin, std::span<const Index> length,
                           std::span<double> largest) {
    const auto blocks = static_cast<std::size_t>(blocks_of(length));
    std::vector<double> of_block(largest.size() * blocks, 0.0);
    visit_blocks(terms, begin, length, [&](std::size_t, std::size_t number, auto&& for_each) {
      double own = 0;
      for_each([&](double term) { own = std::max(own, std::abs(term)); });
      of_block[number] = own;
    });
    std::ranges::fill(largest, 0.0);
    for (std::size_t i = 0; i < of_block.size(); ++i) largest[i / blocks] = std::max(largest[i / blocks], of_block[i]);
  }
  template <class Terms>
  static void sum(const Terms& terms, std::span<const Index> begin, std::span<const Index> length,
                  std::span<const math::SumGrids> grids, std::span<math::SumGrids> parts) {
    const auto blocks = static_cast<std::size_t>(blocks_of(length));
    std::vector<math::SumGrids> of_block(parts.size() * blocks, math::SumGrids{});
    visit_blocks(terms, begin, length, [&](std::size_t system, std::size_t number, auto&& for_each) {
      math::SumGrids own{};
      for_each([&](double term) { math::add_parts(grids[system].data(), term, own.data()); });
      of_block[number] = own;
    });
    std::ranges::fill(parts, math::SumGrids{});
    for (std::size_t i = 0; i < of_block.size(); ++i)
      for (std::size_t level = 0; level < of_block[i].size(); ++level) parts[i / blocks][level] += of_block[i][level];
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
