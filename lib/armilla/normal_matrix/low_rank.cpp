#include <armilla/core/aligned_vector.hpp>
#include <armilla/normal_matrix/low_rank.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <Eigen/Eigenvalues>

namespace armilla::normal_matrix {

namespace {

using core::at;

// Number of random vectors whose products with the remainder estimate the norms of its rows: the length of a row of a
// panel.
constexpr Index kProbes = 2 * kMinColumns;
static_assert(kProbes * sizeof(double) % 64 == 0);

// Values 1 and -1, [row][probe].
core::AlignedVector<double> make_probes(Index size) {
  core::AlignedVector<double> probes(at(size * kProbes));
  for (Index i = 0; i < size; ++i) {
    // Bits of a product with an odd constant (Knuth's multiplicative hashing).
    const std::uint64_t bits = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15ULL;
    for (Index p = 0; p < kProbes; ++p) probes[at(i * kProbes + p)] = (bits >> (20 + 5 * p)) % 2 == 0 ? 1 : -1;
  }
  return probes;
}

// Bunch and Kaufman (1977): a pivot of one row is at least this fraction of the largest off-diagonal element of its
// column.
constexpr double kPivot = 0.6403882032022076;  // (1 + sqrt(17)) / 8
constexpr int kMaxTurns = 8;

// A symmetric matrix minus U S U^T for the columns computed so far.
class Remainder {
 public:
  Remainder(std::span<const double> matrix, Index size)
      : matrix_(matrix.data(), size, size),
        columns_(size, LowRank::max_rank(size)),
        signs_(LowRank::max_rank(size)),
        probes_(make_probes(size)),
        products_(at(whole_tiles(size) * kProbes), 0.0) {
    normal_matrix::multiply({matrix.data(), size, 1, whole_tiles(size), size}, probes_.data(),
                            {.numbers = kProbes, .to = products_.data(), .onto = products_.data()});
  }

  // The row with the largest products with the probes, and an estimate of its norm; NaN if any of them is not finite.
  std::pair<Index, double> largest_row() const {
    const Eigen::VectorXd squares = ConstRows(products_.data(), matrix_.rows(), kProbes).rowwise().squaredNorm();
    if (!squares.allFinite()) return {0, NAN};
    Index row = 0;
    const double most = squares.maxCoeff(&row);
    return {row, std::sqrt(most / kProbes)};
  }

  // Subtracts one or two columns. The search for the pivot starts at row i.
  void take_from(Index i) {
    Eigen::VectorXd own = column(i);
    for (int turn = 0;; ++turn) {
      const Index j = largest_beside(own, i);
      if (j < 0 || std::abs(own[i]) >= kPivot * std::abs(own[j])) return take(own, own[i]);
      const Eigen::VectorXd other = column(j);
      const double most = std::abs(other[largest_beside(other, j)]);
      if (std::abs(other[j]) >= kPivot * most) return take(other, other[j]);
      if (most <= std::abs(own[j]) || turn == kMaxTurns) {
        const Eigen::Matrix2d corner{{own[i], own[j]}, {own[j], other[j]}};
        const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> pair(corner);
        for (const int k : {0, 1})
          take(pair.eigenvectors()(0, k) * own + pair.eigenvectors()(1, k) * other, pair.eigenvalues()[k]);
        return;
      }
      i = j;
      own = other;
    }
  }

  Index rank() const { return rank_; }
  // [column][row].
  std::span<const double> columns() const { return {columns_.data(), at(rank_ * columns_.rows())}; }
  std::span<const double> signs() const { return {signs_.data(), at(rank_)}; }

 private:
  using Rows = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, kProbes, Eigen::RowMajor>>;
  using ConstRows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, kProbes, Eigen::RowMajor>>;

  Eigen::VectorXd column(Index i) const {
    const Eigen::VectorXd factors = signs_.head(rank_).cwiseProduct(columns_.row(i).head(rank_).transpose());
    return matrix_.col(i) - columns_.leftCols(rank_) * factors;
  }

  // Subtracts column column^T / value.
  void take(const Eigen::VectorXd& column, double value) {
    const double sign = value < 0 ? -1 : 1;
    auto scaled = columns_.col(rank_);
    scaled = column / std::sqrt(std::abs(value));
    const Eigen::RowVectorXd sums = scaled.transpose() * ConstRows(probes_.data(), matrix_.rows(), kProbes);
    Rows(products_.data(), matrix_.rows(), kProbes).noalias() -= scaled * (sign * sums);
    signs_[rank_++] = sign;
  }

  // The row of the largest element of a column outside row i; -1 if all are zero.
  static Index largest_beside(const Eigen::VectorXd& column, Index i) {
    Eigen::VectorXd magnitudes = column.cwiseAbs();
    magnitudes[i] = 0;
    Index row = 0;
    return magnitudes.maxCoeff(&row) > 0 ? row : -1;
  }

  Eigen::Map<const Eigen::MatrixXd> matrix_;
  Eigen::MatrixXd columns_;  // U, allocated for the maximum rank
  Eigen::VectorXd signs_;
  Index rank_ = 0;
  core::AlignedVector<double> probes_, products_;  // [row][probe]; products: of the remainder with the probes
};

}  // namespace

Index LowRank::max_rank(Index size) { return size / 3; }

std::optional<LowRank> LowRank::of(std::span<const double> matrix, Index size, double tolerance) {
  Remainder left(matrix, size);
  const double first = left.largest_row().second;
  for (;;) {
    const auto [row, norm] = left.largest_row();
    if (norm <= tolerance) return LowRank(size, left.columns(), left.signs());
    if (!std::isfinite(norm) || left.rank() + 2 > max_rank(size)) return std::nullopt;
    // Half of the columns have hardly reduced the remainder.
    if (2 * left.rank() >= max_rank(size) && norm > 0.1 * first) return std::nullopt;
    left.take_from(row);
  }
}

LowRank::LowRank(Index size, std::span<const double> columns, std::span<const double> signs)
    : size_(size),
      rank_(static_cast<Index>(signs.size())),
      signs_(signs.begin(), signs.end()),
      columns_(whole_tiles(rank_) * whole_tiles(size)) {
  signs_.resize(at(whole_tiles(rank_)), 0.0);
  std::fill_n(columns_.data(), columns_.size(), 0.0);
  for (Index k = 0; k < rank_; ++k)
    std::ranges::copy(columns.subspan(at(k * size), at(size)), columns_.data() + k * whole_tiles(size));
}

void LowRank::multiply(const double* from, const double* onto, Index numbers, double* work, double* to) const {
  const Index rows = whole_tiles(size_);
  for (Index k = 0; k < whole_tiles(rank()); k += kTileRows) {
    const Link link{columns_.data() + k * rows, rows, 1, size_, from};
    multiply_chain(&link, 1, {.numbers = numbers, .to = work + k * numbers, .onto = nullptr, .of_row = &signs_[at(k)]});
  }
  normal_matrix::multiply({columns_.data(), 1, rows, rows, rank()}, work, {.numbers = numbers, .to = to, .onto = onto});
}

}  // namespace armilla::normal_matrix
