#pragma once

#include <armilla/points/point_transform.hpp>

namespace armilla::ops {

using core::Index;

/// What became of the inverse of one deflection.
struct InverseOutcome {
  Index iterations = 0;
  double tolerance = 0;         ///< [rad]: to which distance of their pixel displaced points were to come
  double largest_residual = 0;  ///< [rad] the largest such distance of pixels that did
  Index failed = 0;             ///< pixels that did not, or where the determinant is 0 or less
  // Of the first of these:
  Index pixel = 0;         ///< number in the grid
  double residual = 0;     ///< [rad] how near it came
  double determinant = 0;  ///< of the derivative of the deflection there

  bool converged() const { return failed == 0; }
};

/// Collective. The vectors f at the pixels of `out` that undo a deflection d: exp_m(d(m)) = n where m = exp_n(f(n)). m
/// is found by Newton's iteration with the derivative of the deflection (DisplacementMatrix), from m = n on, whose
/// steps are halved where they lead away; d and its derivatives at m come from a PointTransform of that accuracy. A
/// pixel is done when |log_n exp_m(d(m))| is at most `accuracy` times the largest displacement on the pixels, or 4e-15.
///
/// `deflection`, map number `from`: coefficients of deflection_kind(kDerivatives). Writes the first two components of
/// map number `to` of `out`, 0 at pixels that failed. Bitwise identical on any number of ranks. Throws InputError for
/// an accuracy out of reach.
template <class T>
InverseOutcome inverse_deflection(const comm::Communicator& comm, const transform::AlmField<T>& deflection, Index from,
                                  double accuracy, const std::string& engine, transform::MapField<T>& out, Index to,
                                  const transform::Monitor& monitor = {});

/// Of that on a rank, besides its arguments.
template <class T>
core::MemoryEstimate inverse_deflection_memory(const std::shared_ptr<const dist::AlmDistribution>& alm, double accuracy,
                                               const dist::PixelDistribution& pixels, int rank);

}  // namespace armilla::ops
