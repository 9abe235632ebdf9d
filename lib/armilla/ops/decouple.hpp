#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/ops/mode_coupling.hpp>
#include <armilla/transform/field_kind.hpp>

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

namespace armilla::ops {

/// Undoes what a mask does to spectra of maps of one kind: gives those whose expectation under the mode coupling is
/// what was found. E and B of one spin are told apart; spectra between two pairs of components likewise. What power
/// above lmax leaks down is not known and stays.
class Decoupler {
 public:
  /// Collective. Finds and factors the matrices for spectra up to lmax; `mask` holds the C_l of the mask, as in
  /// mode_coupling(). `width`: of bands of degrees over which a spectrum is held constant, 1 for none; bands begin at
  /// the larger spin of each spectrum, the last one ends at lmax. Throws InputError if a matrix is singular to the
  /// precision that masks are known with (reciprocal condition below 1e-5): the message says what to do.
  Decoupler(const comm::Communicator& comm, const transform::FieldKind& kind, std::span<const double> mask, Index lmax,
            Index width);

  /// Columns of the same names; each l of a band has its value, and degrees below a spin are 0. Not collective. Throws
  /// InputError where the columns or lmax are not those of spectra() of the kind.
  alm::SpectraTable run(const alm::SpectraTable& table) const;

  /// On any rank; the constructor works with the workspace.
  static core::MemoryEstimate memory(const transform::FieldKind& kind, Index lmax, Index width);

 private:
  /// What a spectrum, or a sum of two, is multiplied with: of E and B, EE' = even EE + odd BB, BB' = odd EE + even BB
  /// and EB' = (even - odd) EB; so EE + BB sees the sum of both, EE - BB and EB the difference.
  enum class Combination { kEven, kSum, kDifference };
  using Key = std::tuple<Index, Index, Combination>;
  struct Bands;
  class Solver;

  void add(const ModeCoupling& coupling, Index s, Index t, Combination combination);
  void decouple_pair(const transform::SpinField& p, const transform::SpinField& q, alm::SpectraTable& table) const;
  void unmix(Index s, Index t, Combination of_sum, std::vector<double>& x, std::vector<double>& y) const;
  std::vector<double> solve(Index s, Index t, Combination combination, const std::vector<double>& found) const;
  std::vector<double>& column(alm::SpectraTable& table, Index i, Index j) const;

  transform::FieldKind kind_;
  Index lmax_;
  Index width_;
  std::map<Key, std::shared_ptr<const Solver>> solvers_;  ///< the smaller spin first
};

}  // namespace armilla::ops
