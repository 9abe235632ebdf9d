#include <armilla/core/aligned_vector.hpp>
#include <armilla/normal_matrix/low_rank.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::normal_matrix {
namespace {

using core::at;

// A symmetric matrix and room for rows up to a whole tile.
struct Symmetric {
  explicit Symmetric(Index size_) : size(size_), numbers(at(whole_tiles(size) * size), 0.0) {}
  double& operator()(Index i, Index j) { return numbers[at(i * size + j)]; }
  double operator()(Index i, Index j) const { return numbers[at(i * size + j)]; }

  Index size;
  std::vector<double> numbers;
};

// The sum over k of scale^k s_k x_k x_k^T, s_k = 1 and -1 in turns, x_k of unit length: singular values fall off.
Symmetric falling(Index size, Index columns, double scale) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  Symmetric matrix(size);
  double value = 1;
  for (Index k = 0; k < columns; ++k, value *= -scale) {
    std::vector<double> x(at(size));
    double square = 0;
    for (double& number : x) {
      number = normal(random);
      square += number * number;
    }
    for (Index i = 0; i < size; ++i)
      for (Index j = 0; j < size; ++j) matrix(i, j) += value * x[at(i)] * x[at(j)] / square;
  }
  return matrix;
}

// onto + matrix from, by factors and as it is defined: their largest difference.
double error(const Symmetric& matrix, const LowRank& factors, Index columns) {
  const Index numbers = 2 * columns;
  const Index rows = whole_tiles(matrix.size);
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  core::AlignedVector<double> from(at(rows * numbers), 0.0), onto(at(rows * numbers), 0.0), to(at(rows * numbers), 7.0);
  core::AlignedVector<double> work(at(whole_tiles(factors.rank()) * numbers), NAN);
  for (Index i = 0; i < matrix.size * numbers; ++i) {
    from[at(i)] = normal(random);
    onto[at(i)] = normal(random);
  }
  factors.multiply(from.data(), onto.data(), numbers, work.data(), to.data());
  double largest = 0;
  for (Index i = 0; i < rows; ++i)
    for (Index c = 0; c < numbers; ++c) {
      double sum = onto[at(i * numbers + c)];
      for (Index j = 0; j < matrix.size && i < matrix.size; ++j) sum += matrix(i, j) * from[at(j * numbers + c)];
      largest = std::max(largest, std::abs(to[at(i * numbers + c)] - sum));
    }
  return largest;
}

TEST(LowRank, MultipliesAsTheMatrix) {
  for (const Index size : {40, 61, 100, 193})
    for (const Index columns : {4, 8, 16}) {
      const Symmetric matrix = falling(size, 8, 0.5);
      const std::optional<LowRank> factors = LowRank::of(matrix.numbers, size, 1e-13);
      ASSERT_TRUE(factors) << size;
      EXPECT_EQ(factors->rank(), 8) << size;
      EXPECT_LT(error(matrix, *factors, columns), 1e-13) << size;
    }
}

TEST(LowRank, LeavesOutWhatIsBelowTheTolerance) {
  const Index size = 200;
  const Symmetric matrix = falling(size, 40, 0.1);
  Index before = 0;
  for (const double tolerance : {1e-2, 1e-5, 1e-8, 1e-11}) {
    const std::optional<LowRank> factors = LowRank::of(matrix.numbers, size, tolerance);
    ASSERT_TRUE(factors) << tolerance;
    EXPECT_GT(factors->rank(), before) << tolerance;
    EXPECT_LT(factors->rank(), 15) << tolerance;
    // Rows of norm tolerance, and what is probable of their products with normal numbers.
    const double left = error(matrix, *factors, 16);
    EXPECT_LT(left, 20 * tolerance) << tolerance;
    EXPECT_GT(left, 1e-3 * tolerance) << tolerance;
    before = factors->rank();
  }
}

TEST(LowRank, FindsPivotsOfTwoRows) {
  // Zeros on the diagonal.
  const Index size = 48;
  Symmetric matrix(size);
  for (Index i = 0; i < 6; i += 2) matrix(7 * i, 7 * i + 3) = matrix(7 * i + 3, 7 * i) = static_cast<double>(i + 1);
  const std::optional<LowRank> factors = LowRank::of(matrix.numbers, size, 1e-13);
  ASSERT_TRUE(factors);
  EXPECT_EQ(factors->rank(), 6);
  EXPECT_LT(error(matrix, *factors, 4), 1e-13);
}

TEST(LowRank, IsNoneWhereItDoesNotPay) {
  Symmetric identity(80);
  for (Index i = 0; i < identity.size; ++i) identity(i, i) = 1;
  EXPECT_FALSE(LowRank::of(identity.numbers, identity.size, 1e-13));
  EXPECT_FALSE(LowRank::of(falling(60, 30, 0.9).numbers, 60, 1e-13));
  EXPECT_FALSE(LowRank::of(falling(2, 2, 0.9).numbers, 2, 1e-13));
  Symmetric broken = falling(80, 4, 0.5);
  broken(3, 4) = broken(4, 3) = NAN;
  EXPECT_FALSE(LowRank::of(broken.numbers, broken.size, 1e-13));
}

TEST(LowRank, OfNothingIsNothing) {
  const Symmetric zero(30);
  const std::optional<LowRank> factors = LowRank::of(zero.numbers, zero.size, 1e-13);
  ASSERT_TRUE(factors);
  EXPECT_EQ(factors->rank(), 0);
  EXPECT_EQ(error(zero, *factors, 16), 0);
}

}  // namespace
}  // namespace armilla::normal_matrix
