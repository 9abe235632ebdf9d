#pragma once

#include <armilla/grid/ring_grid.hpp>

namespace armilla::grid {

/// Accuracy of quadrature, as the expected relative rms error of coefficients, that is required of grids by default.
inline constexpr double kQuadratureAccuracy = 1e-10;

/// Expected relative rms error of the coefficients with l <= lmax, m <= mmax that quadrature with the weights of the
/// grid computes from a map with equal power at all of these; 0 for grids and degrees for which quadrature is exact.
/// The grid must have weights. Contributions are those of orders m and m' that the pixels of a ring do not distinguish,
/// and the integrals over theta of P_l, l = 1 .. 2 lmax. Large grids are sampled. The same rings give the same
/// result on all machines, because no functions of libm are used. Method: docs/decisions/0022-limits-of-grids.md.
double expected_quadrature_error(const RingGrid& grid, Index lmax, Index mmax);

/// The error up to which quadrature on this grid counts as accurate: kQuadratureAccuracy. On rings from files, whose
/// weights may be rounded, ten times the expected error at a quarter of the limit of analysis, if this is between
/// kQuadratureAccuracy and 1e-6. The grid must have weights.
double accepted_quadrature_error(const RingGrid& grid);

/// The largest lmax up to which quadrature is accurate to accepted_quadrature_error(): nlat / 2 on octahedral grids,
/// the limit of analysis on other grids whose quadrature is exact, and on rings from files as determined by
/// expected_quadrature_error(). On HEALPix, and on rings whose weights are not accurate for any lmax, the limit of
/// analysis (3 nside - 1). The same on grids without weights.
Index accurate_lmax(const RingGrid& grid);

/// Whether quadrature up to lmax and mmax is beyond the limits of analysis, or less accurate than
/// accepted_quadrature_error(), on octahedral grids and rings from files. The grid must have weights.
bool exceeds_accurate_limits(const RingGrid& grid, Index lmax, Index mmax);

}  // namespace armilla::grid
