// Sums at points on tensor cores, whose kernels only benchmarks run: against their definition, in any order of threads.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <kernels/core/host_blocks.hpp>
#include <kernels/nufft/tensor_interpolation_body.hpp>
#include <kernels/nufft/tensor_spreading_body.hpp>

namespace armilla::kernels {
namespace {

using core::at;

constexpr Index kFields = 2;
constexpr Index kColumnsOfRow = 64;

/// A cell at the end of its rows, which begin within it, with many different numbers of points per sub-cell.
template <int W>
struct TensorCase {
  using Cells = TensorCells<W>;
  static constexpr int kFirstRow = 3;
  static constexpr int kRows = nufft_patch_rows(W) - kFirstRow;

  NufftWindow<double> window{W, {}};
  std::vector<NufftPoint<double>> points;
  std::array<NufftChunk, 1> chunk;
  std::vector<Index> places;
  std::vector<double> samples, values;

  TensorCase() {
    constexpr int kCounts[] = {0, 1, 3, 4, 5, 8, 9, 15, 16, 17, 33, 64, 2};
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (double& number : window.coefficients) number = uniform(random);
    for (int cell = 0; cell < Cells::kCount; ++cell)
      for (int i = 0; i < kCounts[cell % static_cast<int>(std::size(kCounts))]; ++i) {
        NufftPoint<double>& point = points.emplace_back();
        point.z_theta = uniform(random);
        point.z_phi = i == 0 ? -1 : uniform(random);
        const int row = Cells::first_row(cell) + i % Cells::kSize;
        point.row = static_cast<std::uint8_t>(std::max(kFirstRow, row));
        point.column = static_cast<std::uint8_t>(Cells::first_column(cell) + i * 3 % Cells::kSize);
        point.number = static_cast<std::uint32_t>(points.size() - 1);
      }
    const auto count = static_cast<std::uint32_t>(points.size());
    for (NufftPoint<double>& point : points) point.number = count - 1 - point.number;
    chunk = {NufftChunk{.begin = 0,
                        .count = static_cast<int>(count),
                        .row = -kFirstRow,
                        .rows_begin = kFirstRow,
                        .rows_end = kFirstRow + kRows,
                        .column = kColumnsOfRow - kNufftCellColumns}};
    for (Index row = 0; row < kRows; ++row) places.push_back((kRows - 1 - row) * kColumnsOfRow);
    for (Index i = 0; i < kFields * kRows * kColumnsOfRow; ++i) samples.push_back(uniform(random));
    for (Index i = 0; i < kFields * Index{count}; ++i) values.push_back(uniform(random));
  }

  Index count() const { return static_cast<Index>(points.size()); }

  /// Calls visit(index of a value, index of a sample, weight).
  template <class Visit>
  void for_products(const Visit& visit) const {
    const auto weight = [&](int j, double z) {
      const WeightPair<double> pair = window_weights<W>(window, std::min(j, W - 1 - j), z);
      return j <= W - 1 - j ? pair.first : pair.last;
    };
    for (Index f = 0; f < kFields; ++f)
      for (const NufftPoint<double>& point : points)
        for (int j = 0; j < W; ++j)
          for (int k = 0; k < W; ++k) {
            const Index column = (chunk[0].column + point.column + k) % kColumnsOfRow;
            visit(at(f * count() + point.number),
                  at(f * kRows * kColumnsOfRow + places[at(point.row + j - kFirstRow)] + column),
                  weight(j, point.z_theta) * weight(k, point.z_phi));
          }
  }

  template <class Number>
  NufftRowsOf<KernelPointer, Number> rows(Number* fields) const {
    return {places.data(), kColumnsOfRow, kRows * kColumnsOfRow, 0, fields, nullptr};
  }
  std::vector<double> interpolated(HostOrder order) const {
    std::vector<double> found(values.size(), -7);
    run_blocks(TensorInterpolation<W>{{window,
                                       {points.data(), chunk.data(), 1},
                                       rows<const double>(samples.data()),
                                       kFields,
                                       count(),
                                       found.data()}},
               order);
    return found;
  }
  std::vector<double> spread(HostOrder order) const {
    std::vector<double> found = samples;
    run_blocks(TensorSpreading<W>{{window,
                                   {points.data(), chunk.data(), 1},
                                   rows<double>(found.data()),
                                   kFields,
                                   count(),
                                   values.data(),
                                   nullptr}},
               order);
    return found;
  }
  std::vector<double> patch_sums(HostOrder order) const {
    std::vector<double> sums(at(kFields * nufft_patch_size(W)), -7);
    run_blocks(TensorSpreading<W>{{window,
                                   {points.data(), chunk.data(), 1},
                                   rows<double>(nullptr),
                                   kFields,
                                   count(),
                                   values.data(),
                                   sums.data()}},
               order);
    return sums;
  }
};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  // Weights are up to some 10, and up to 1000 points contribute to a sample.
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-11) << i;
}

template <int W>
void check_width() {
  SCOPED_TRACE(W);
  const TensorCase<W> one;
  std::vector<double> values(one.values.size(), 0.0), samples = one.samples;
  one.for_products([&](std::size_t value, std::size_t sample, double weight) {
    values[value] += weight * one.samples[sample];
    samples[sample] += weight * one.values[value];
  });
  const std::vector<double> down = one.interpolated(HostOrder::kAscending), up = one.spread(HostOrder::kAscending);
  expect_near(down, values);
  expect_near(up, samples);
  EXPECT_EQ(one.interpolated(HostOrder::kDescending), down);
  EXPECT_EQ(one.spread(HostOrder::kDescending), up);
  // What is added to the rows, in the same places.
  const std::vector<double> sums = one.patch_sums(HostOrder::kAscending);
  constexpr Index kColumns = nufft_patch_columns(W);
  for (Index f = 0; f < kFields; ++f)
    for (Index row = one.kFirstRow; row < nufft_patch_rows(W); ++row)
      for (Index column = 0; column < kColumns; ++column) {
        const std::size_t i = at(f * one.kRows * kColumnsOfRow + one.places[at(row - one.kFirstRow)] +
                                 (one.chunk[0].column + column) % kColumnsOfRow);
        ASSERT_EQ(up[i], one.samples[i] + sums[at(f * nufft_patch_size(W) + row * kColumns + column)]);
      }
}

TEST(TensorPointsSweep, AreTheDefinitionInAnyOrderOfThreads) {
  check_width<3>();
  check_width<8>();
  check_width<9>();
  check_width<10>();
  check_width<13>();
}

TEST(TensorPointsSweep, RefuseWiderWindows) {
  EXPECT_THROW(for_tensor_width<TensorSpreading>(kTensorMaxWidth + 1, []<class Body>() {}), core::InternalError);
}

}  // namespace
}  // namespace armilla::kernels
