#pragma once

#include <armilla/grid/ring_grid.hpp>

#include <string>
#include <vector>

namespace armilla::grid {

/// The short forms of grids, "healpix:NSIDE", "gauss:NLAT[:NPHI[:PHI0]]", "cc:NLAT" and so on: one for each row of
/// grid_kinds(); rules have their own names.
std::vector<std::string> grid_forms();

/// The grid for a short form such as "gauss:64:128". Throws InputError, listing the valid forms.
GridDescription parse_grid_text(const std::string& text);

/// The short form of a whole grid; empty if it has none.
std::string grid_text(const GridDescription& grid);

}  // namespace armilla::grid
