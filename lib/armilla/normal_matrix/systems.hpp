#pragma once

#include <armilla/core/types.hpp>

#include <vector>

namespace armilla::normal_matrix {

using core::Index;

/// The unknowns of a normal matrix, separated by mirror symmetry, and their storage for many maps. For a scalar, the
/// coefficients of one m with even or odd l - m are the systems q = 0, 1 of that m. For a spin s, both
///   u_l = E_l + i B_l   and   v_l = (-1)^(s + l + m) (E_l - i B_l)
/// are columns of one system, because they have the same matrix: with P = Q + i U,
/// P_m(theta) = -sum over l of u_l slambda_l(theta), (P*)_m(theta) = -sum over l of v_l slambda_l(pi - theta)
/// (math/spin.hpp).
class Systems {
 public:
  Systems(Index spin, Index lmax, Index mmax);

  Index spin() const { return spin_; }
  Index lmax() const { return lmax_; }
  Index mmax() const { return mmax_; }
  /// Number of systems of each m; also the step in degree from one row of a system to the next.
  Index per_m() const { return spin_ == 0 ? 2 : 1; }
  /// Number of halves of the columns: 1 for scalars, 2 (u and v) for fields with spin.
  Index halves() const { return spin_ == 0 ? 1 : 2; }

  Index number(Index m, Index q) const { return m * per_m() + q; }
  Index count() const { return (mmax_ + 1) * per_m(); }
  Index first_degree(Index m) const { return m < spin_ ? spin_ : m; }
  Index degree(Index m, Index q, Index row) const { return first_degree(m) + q + row * per_m(); }
  /// Number of rows of a system, without and with padding.
  Index rows(Index m, Index q) const { return rows_[static_cast<std::size_t>(number(m, q))]; }
  Index padded_rows(Index m, Index q) const {
    const auto i = static_cast<std::size_t>(number(m, q));
    return begin_[i + 1] - begin_[i];
  }
  /// Number of padded rows of all systems before this one (m up to mmax() + 1), and of all systems.
  Index begin(Index m, Index q) const { return begin_[static_cast<std::size_t>(number(m, q))]; }
  Index all_rows() const { return begin_.back(); }

 private:
  Index spin_, lmax_, mmax_;
  std::vector<Index> rows_, begin_;
};

}  // namespace armilla::normal_matrix
