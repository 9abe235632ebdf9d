#pragma once

#include <armilla/grid/ring_grid.hpp>

namespace armilla::grid {

/// The largest nside of HEALPix, for which 64-bit pixel indices in NESTED order are sufficient.
inline constexpr Index kLargestNside = Index{1} << 29;

/// Number of rings.
constexpr Index healpix_ring_count(Index nside) { return 4 * nside - 1; }

/// First pixel, in RING order, of a ring counted from 0; the total number of pixels for ring healpix_ring_count().
constexpr Index healpix_first_pixel(Index nside, Index ring) {
  const Index all = 12 * nside * nside;
  if (ring < nside) return 2 * ring * (ring + 1);
  if (ring < 3 * nside) return 2 * nside * (nside + 1) + (ring - nside) * 4 * nside;
  const Index left = healpix_ring_count(nside) - ring;  // rings from this one to the south pole
  return all - 2 * left * (left + 1);
}

/// One ring, counted from 0 in ascending theta, with first_pixel = healpix_first_pixel(), without creating the whole
/// grid. `nside` and `ring` are not checked.
Ring healpix_ring(Index nside, Index ring);

/// Throws InputError if nside is not in 1 .. kLargestNside.
void check_nside(Index nside);

}  // namespace armilla::grid
