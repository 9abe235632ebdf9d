#pragma once

#include <armilla/grid/ring_grid.hpp>

namespace armilla::grid {

/// The grid without the last pixel of each ring, for data in which it repeats the first: the other pixels are
/// equidistant then. Keeps the kind of a grid that has `nphi`; others become `rings`, with equal weights. Throws
/// InputError for HEALPix and for rings with a single pixel.
RingGrid without_last_longitude(const RingGrid& grid);

}  // namespace armilla::grid
