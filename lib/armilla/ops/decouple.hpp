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

/// Corrects spectra of maps of one kind for a mask. The result is the spectrum whose expectation under the mode
/// coupling is the measured one. E and B of one spin are separated, and so are spectra between two pairs of components.
/// Leakage from power above lmax is unknown and is not removed.
class Decoupler {
 public:
  /// Collective. Computes and factors the matrices for spectra up to lmax; `mask` holds the C_l of the mask, as in
  /// mode_coupling(). `width`: width of bands of degrees over which a spectrum is constant; 1 for no binning. Bands
  /// begin at the larger spin of each spectrum; the last one ends at lmax. Throws InputError with advice if a matrix is
  /// singular within the accuracy of the mask (reciprocal condition number below 1e-5).
  Decoupler(const comm::Communicator& comm, const transform::FieldKind& kind, std::span<const double> mask, Index lmax,
            Index width);

  /// Not collective. Returns columns with the same names. All l of a band have the value of the band, and degrees below
  /// a spin are 0. Throws InputError if the columns or lmax differ from those of spectra() for this kind.
  alm::SpectraTable run(const alm::SpectraTable& table) const;

  /// Memory on any rank; the constructor uses the workspace.
  static core::MemoryEstimate memory(const transform::FieldKind& kind, Index lmax, Index width);

 private:
  /// The matrix for a spectrum, or for a sum of two. For E and B, EE' = even EE + odd BB, BB' = odd EE + even BB and
  /// EB' = (even - odd) EB. EE + BB therefore uses the sum of both matrices, and EE - BB and EB use the difference.
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
  std::map<Key, std::shared_ptr<const Solver>> solvers_;  ///< the smaller spin is first in the key
};

}  // namespace armilla::ops
