#pragma once

#include <armilla/grid/ring_grid.hpp>

namespace armilla::grid {

/// Accuracy to which accurate_lmax() is a limit: the expected relative rms error of coefficients.
inline constexpr double kQuadratureAccuracy = 1e-10;

/// Expected relative rms error of the coefficients with l <= lmax that quadrature with the weights of the grid computes
/// from a map with equal power at all l <= lmax; 0 for grids and degrees for which quadrature is exact. The grid must
/// have weights. Contributions are those of orders m and m' that the pixels of a ring do not distinguish, and the
/// integrals over theta of P_l, l = 1 .. 2 lmax. Large grids are sampled. The result is the same on all machines: it
/// uses no functions of libm. Method: docs/decisions/0022-limits-of-grids.md.
double expected_quadrature_error(const RingGrid& grid, Index lmax);

/// The largest lmax up to which quadrature is accurate to kQuadratureAccuracy: nlat / 2 on octahedral grids, the limit
/// of analysis on other grids whose quadrature is exact. On rings from files, expected_quadrature_error() determines
/// it; if it exceeds kQuadratureAccuracy even at a quarter of the limit of analysis, for example because weights were
/// rounded, ten times the error there is accepted. On HEALPix, no lmax is that accurate, and the result is the limit of
/// analysis, 3 nside - 1. The grid must have weights.
Index accurate_lmax(const RingGrid& grid);

}  // namespace armilla::grid
