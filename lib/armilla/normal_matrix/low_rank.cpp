#include <armilla/core/aligned_vector.hpp>
#include <armilla/normal_matrix/low_rank.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace armilla::normal_matrix {

namespace {

using core::at;

// Vectors that what is left is multiplied by: its rows as far as these feel them. As many as a row of a panel has.
constexpr Index kProbes = 2 * kMinColumns;
static_assert(kProbes * sizeof(double) % 64 == 0);

// Of 1 and -1, [row][probe].
core::AlignedVector<double> make_probes(Index size) {
  core::AlignedVector<double> probes(at(size * kProbes));
  for (Index i = 0; i < size; ++i) {
    // Bits of a product with an odd constant (Knuth's multiplicative hashing).
    const std::uint64_t bits = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15ULL;
    for (Index p = 0; p < kProbes; ++p) probes[at(i * kProbes + p)] = (bits >> (20 + 5 * p)) % 2 == 0 ? 1 : -1;
  }
  return probes;
}

// Of Bunch and Kaufman: pivots of one row are at least so much of the largest number beside them.
constexpr double kPivot = 0.6403882032022076;  // (1 + sqrt(17)) / 8
constexpr int kMaxTurns = 8;

// What is left of a symmetric matrix without the columns that were found.
class Remainder {
 public:
  Remainder(std::span<const double> matrix, Index size)
      : matrix_(matrix), size_(size), probes_(make_probes(size)), products_(at(whole_tiles(size) * kProbes), 0.0) {
    normal_matrix::multiply({matrix.data(), size, 1, whole_tiles(size), size}, probes_.data(),
                            {.numbers = kProbes, .to = products_.data(), .onto = products_.data()});
  }

  // The row with the largest products with the probes, and about its norm.
  std::pair<Index, double> largest_row() const {
    Index largest = 0;
    double most = -1;
    for (Index i = 0; i < size_; ++i) {
      double square = 0;
      for (Index p = 0; p < kProbes; ++p) square += products_[at(i * kProbes + p)] * products_[at(i * kProbes + p)];
      if (!std::isfinite(square)) return {i, square};
      if (square > most) {
        most = square;
        largest = i;
      }
    }
    return {largest, std::sqrt(most / kProbes)};
  }

  std::vector<double> column(Index i) const {
    std::vector<double> left(&matrix_[at(i * size_)], &matrix_[at(i * size_)] + size_);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      const double by = signs_[k] * columns_[k][at(i)];
      const double* from = columns_[k].data();
      for (Index j = 0; j < size_; ++j) left[at(j)] -= by * from[j];
    }
    return left;
  }

  // Takes column column^T / value off.
  void take(std::vector<double> column, double value) {
    const double scale = 1 / std::sqrt(std::abs(value));
    const double sign = value < 0 ? -1 : 1;
    std::array<double, kProbes> sums{};
    for (Index i = 0; i < size_; ++i) {
      column[at(i)] *= scale;
      for (Index p = 0; p < kProbes; ++p) sums[at(p)] += column[at(i)] * probes_[at(i * kProbes + p)];
    }
    for (Index i = 0; i < size_; ++i)
      for (Index p = 0; p < kProbes; ++p) products_[at(i * kProbes + p)] -= sign * sums[at(p)] * column[at(i)];
    columns_.push_back(std::move(column));
    signs_.push_back(sign);
  }
  // Takes off what two columns, i and j, of what is left make of it; `corner`: their numbers at (i, i), (i, j), (j, j).
  void take(const std::vector<double>& a, const std::vector<double>& b, const std::array<double, 3>& corner) {
    // By the eigenvectors (c, s), (-s, c) of the corner.
    const double angle = 0.5 * std::atan2(2 * corner[1], corner[0] - corner[2]);
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    const double first = c * c * corner[0] + 2 * c * s * corner[1] + s * s * corner[2];
    const double second = s * s * corner[0] - 2 * c * s * corner[1] + c * c * corner[2];
    std::vector<double> x(a.size());
    std::vector<double> y(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      x[i] = c * a[i] + s * b[i];
      y[i] = c * b[i] - s * a[i];
    }
    take(std::move(x), first);
    take(std::move(y), second);
  }

  // Takes off one or two columns, from row i on.
  void take_from(Index i) {
    std::vector<double> own = column(i);
    for (int turn = 0;; ++turn) {
      const Index j = largest_beside(own, i);
      if (j < 0 || std::abs(own[at(i)]) >= kPivot * std::abs(own[at(j)])) return take(own, own[at(i)]);
      std::vector<double> other = column(j);
      const double most = std::abs(other[at(largest_beside(other, j))]);
      if (std::abs(other[at(j)]) >= kPivot * most) return take(other, other[at(j)]);
      if (most <= std::abs(own[at(j)]) || turn == kMaxTurns)
        return take(own, other, {own[at(i)], own[at(j)], other[at(j)]});
      i = j;
      own = std::move(other);
    }
  }

  const std::vector<std::vector<double>>& columns() const { return columns_; }
  const std::vector<double>& signs() const { return signs_; }

 private:
  // Of a column, where its largest number outside of row i stands; -1 where there is none but zero.
  static Index largest_beside(const std::vector<double>& column, Index i) {
    Index largest = -1;
    double most = 0;
    for (Index j = 0; j < static_cast<Index>(column.size()); ++j)
      if (j != i && std::abs(column[at(j)]) > most) {
        most = std::abs(column[at(j)]);
        largest = j;
      }
    return largest;
  }

  std::span<const double> matrix_;
  Index size_;
  core::AlignedVector<double> probes_, products_;  // [row][probe], and of what is left with them
  std::vector<std::vector<double>> columns_;
  std::vector<double> signs_;
};

}  // namespace

Index LowRank::max_rank(Index size) { return size / 3; }

std::optional<LowRank> LowRank::of(std::span<const double> matrix, Index size, double tolerance) {
  Remainder left(matrix, size);
  const double first = left.largest_row().second;
  for (;;) {
    const auto [row, norm] = left.largest_row();
    const auto rank = static_cast<Index>(left.signs().size());
    if (norm <= tolerance) return LowRank(size, left.columns(), left.signs());
    if (!std::isfinite(norm) || rank + 2 > max_rank(size)) return std::nullopt;
    // Half of the columns have hardly begun.
    if (2 * rank >= max_rank(size) && norm > 0.1 * first) return std::nullopt;
    left.take_from(row);
  }
}

LowRank::LowRank(Index size, const std::vector<std::vector<double>>& columns, const std::vector<double>& signs)
    : size_(size),
      rank_(static_cast<Index>(signs.size())),
      signs_(signs),
      columns_(whole_tiles(rank_) * whole_tiles(size)) {
  signs_.resize(at(whole_tiles(rank_)), 0.0);
  std::fill_n(columns_.data(), columns_.size(), 0.0);
  for (std::size_t k = 0; k < columns.size(); ++k)
    std::ranges::copy(columns[k], columns_.data() + static_cast<Index>(k) * whole_tiles(size));
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
