#pragma once

#include <armilla/grid/ring_grid.hpp>
#include <armilla/io/metadata.hpp>

#include <memory>
#include <optional>
#include <string>

namespace armilla::io {

/// The number of pixels of NSIDE as a header gives it, to be compared with the data before a grid is made. Throws
/// InputError, naming file and keyword, where NSIDE is missing or not in 1 .. 2^29.
Index healpix_pixels(std::optional<Index> nside, const std::string& path);

/// The grid of NSIDE as a header gives it. Throws InputError, naming file and keyword, where it is missing, not in
/// 1 .. 2^29, larger than grids can be (grid::make_healpix()), or has no NESTED order that the file says it has.
std::shared_ptr<const grid::RingGrid> healpix_grid(std::optional<Index> nside, Ordering ordering,
                                                   const std::string& path);

/// ORDERING as a header gives it. Throws InputError if it is missing or unknown: a guess would scramble the sky.
Ordering required_ordering(const std::string& text, const std::string& path);

}  // namespace armilla::io
