#pragma once

#include <armilla/core/types.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace armilla::math {

/// Even zonal functions at some places x = cos(theta): the matrix A[l / 2][i] = sqrt(2 l + 1) P_l(x_i), l = 0, 2, .. up
/// to a degree, of which only products are ever made, at the cost of the recurrence of P_l. One type of numbers for
/// all.
template <class Real>
class EvenZonal {
 public:
  EvenZonal(std::vector<Real> x, core::Index degree) : x_(std::move(x)), rows_(degree / 2 + 1) {}

  core::Index rows() const { return rows_; }
  core::Index columns() const { return static_cast<core::Index>(x_.size()); }

  /// sums[l / 2] = sum over i of A values; overwrites.
  void apply(std::span<const Real> values, std::span<Real> sums) const;
  /// values[i] = sum over l of A coefficients; overwrites.
  void apply_transposed(std::span<const Real> coefficients, std::span<Real> values) const;

 private:
  // Places whose recurrences run side by side.
  static constexpr std::size_t kBlock = 32;
  template <class Step>
  void for_each_row(std::size_t first, Step&& step) const;

  std::vector<Real> x_;
  core::Index rows_;
};

extern template class EvenZonal<double>;
extern template class EvenZonal<long double>;

}  // namespace armilla::math
