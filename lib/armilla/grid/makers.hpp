#pragma once

#include <armilla/grid/ring_grid.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::grid {

/// HEALPix (Gorski et al. 2005) with 12 nside^2 pixels in RING order and equal weights 4 pi / npix per pixel.
/// Throws InputError where nside is not a power of two in 1 .. 2^29.
RingGrid make_healpix(Index nside);

/// Gauss-Legendre colatitudes, nphi pixels per ring from phi = 0; its quadrature is exact up to lmax = nlat - 1 where
/// nphi >= 2 mmax + 1. nphi = 0 takes 2 nlat. Throws InputError for nlat < 1 or nphi < 0.
RingGrid make_gauss(Index nlat, Index nphi);

/// Rings given one by one: theta and phi0 [rad], nphi, and weight [sr] of each whole ring, or no weights at all.
/// `source` names their file in messages. Throws InputError for lengths that differ and whatever RingGrid refuses.
RingGrid make_rings(std::span<const double> theta, std::span<const double> phi0, std::span<const Index> nphi,
                    std::span<const double> weight, const std::string& source);

/// The grid that a description stands for; `rings` grids cannot be made from their description alone.
RingGrid make_grid(const GridDescription& description);

/// One row per kind of grid with parameters: where the property tests and the job language find them.
struct GridKind {
  std::string name;
  std::vector<std::string> keys;          ///< parameters in a job; the first is required
  std::vector<GridDescription> examples;  ///< small ones, for tests
};
std::span<const GridKind> grid_kinds();

}  // namespace armilla::grid
