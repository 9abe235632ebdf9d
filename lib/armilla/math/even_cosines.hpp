#pragma once

#include <armilla/core/types.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace armilla::math {

/// The matrix cos(2 k theta_i), k = 0 .. rows - 1, for colatitudes theta_i; only products with it are computed. Its
/// first rows span the same space as zonal functions of even degree, and are better conditioned. Products are shared by
/// OpenMP threads and are bitwise identical on any number of threads. Angles are accurate to a few roundings of 2 k
/// theta.
template <class Real>
class EvenCosines {
 public:
  EvenCosines(std::span<const long double> theta, core::Index rows);

  core::Index rows() const { return rows_; }
  core::Index columns() const { return columns_; }

  /// sums[k] = sum over i of cos(2 k theta_i) values[i]; overwrites sums.
  void apply(std::span<const Real> values, std::span<Real> sums) const;
  /// values[i] = sum over k of cos(2 k theta_i) coefficients[k]; overwrites values.
  void apply_transposed(std::span<const Real> coefficients, std::span<Real> values) const;

 private:
  // Columns processed together.
  static constexpr std::size_t kLanes = 8;
  // With k = width_ a + b, the cosine and sine of 2 k theta are computed from those of 2 b theta and 2 width_ a theta.
  struct Tables;
  using Lanes = std::array<Real, kLanes>;
  struct Start {
    Lanes cos_one, sin_one;    // of 2 theta
    Lanes cos_many, sin_many;  // of 2 width_ theta
  };
  void add_columns(std::size_t block, std::span<const Real> values, Tables& tables, std::span<Real> sums) const;
  // The sums over rows of the columns of a block.
  Lanes sum_of_rows(std::size_t block, std::span<const Real> padded, Tables& tables) const;

  core::Index rows_;
  core::Index columns_;
  std::size_t width_;
  std::size_t tiles_;          // of width_ rows
  std::vector<Start> starts_;  // [block of kLanes columns]
};

}  // namespace armilla::math
