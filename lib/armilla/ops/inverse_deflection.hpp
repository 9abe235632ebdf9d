#pragma once

#include <armilla/points/point_transform.hpp>

namespace armilla::ops {

using core::Index;

/// Result of the inversion of one deflection.
struct InverseOutcome {
  Index iterations = 0;
  double tolerance = 0;         ///< [rad] maximum distance of displaced points from their pixel
  double largest_residual = 0;  ///< [rad] largest such distance over converged pixels
  Index failed = 0;             ///< pixels that did not converge, or with a determinant of at most 0
  // Values for the first failed pixel:
  Index pixel = 0;         ///< index in the grid
  double residual = 0;     ///< [rad] distance reached
  double determinant = 0;  ///< of the derivative of the deflection there

  bool converged() const { return failed == 0; }
};

/// Collective. Computes the vectors f at the pixels of `out` that invert a deflection d: exp_m(d(m)) = n where m =
/// exp_n(f(n)). Newton's iteration finds m, starting at m = n, with the derivative of the deflection
/// (DisplacementMatrix). Steps that increase the residual are halved. A PointTransform of the given accuracy evaluates
/// d and its derivatives at m. A pixel has converged if |log_n exp_m(d(m))| is at most `accuracy` times the largest
/// displacement over all pixels, or 4e-15.
///
/// `deflection`, map `from`: coefficients of deflection_kind(kDerivatives). Writes the first two components of map `to`
/// of `out`; failed pixels are set to 0. Bitwise identical on any number of ranks. Throws InputError for an accuracy
/// that cannot be reached.
template <class T>
InverseOutcome inverse_deflection(const comm::Communicator& comm, const transform::AlmField<T>& deflection, Index from,
                                  double accuracy, const std::string& engine, transform::MapField<T>& out, Index to,
                                  const transform::Monitor& monitor = {});

/// Memory of that function on a rank, excluding its arguments.
template <class T>
core::MemoryEstimate inverse_deflection_memory(const std::shared_ptr<const dist::AlmDistribution>& alm, double accuracy,
                                               const dist::PixelDistribution& pixels, int rank);

}  // namespace armilla::ops
