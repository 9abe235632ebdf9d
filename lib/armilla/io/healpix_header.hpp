#pragma once

#include <armilla/grid/ring_grid.hpp>
#include <armilla/io/metadata.hpp>

#include <memory>
#include <optional>
#include <string>

namespace armilla::io {

/// The number of pixels for NSIDE from a header, to be compared with the data before a grid is made. Throws InputError,
/// naming file and keyword, if NSIDE is missing or not in 1 .. 2^29.
Index healpix_pixels(std::optional<Index> nside, const std::string& path);

/// The grid for NSIDE from a header. Throws InputError, naming file and keyword, if NSIDE is missing, not in 1 .. 2^29,
/// or too large for a grid (grid::make_healpix()). Also throws if the file declares NESTED order, which NSIDE does not
/// have.
std::shared_ptr<const grid::RingGrid> healpix_grid(std::optional<Index> nside, Ordering ordering,
                                                   const std::string& path);

}  // namespace armilla::io
