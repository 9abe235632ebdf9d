#pragma once

#include <armilla/grid/ring_grid.hpp>
#include <armilla/io/hdf5_handle.hpp>

#include <memory>
#include <string>

namespace armilla::io {

/// Writes group `grid` of an HDF5 file: attribute `kind`, the parameters of that kind, and per ring `theta`, `phi0`,
/// `nphi`, where the grid has any, `weight`, and, of a part of the sky, `ring`, its number in the whole grid. Throws
/// ResourceError.
void write_hdf5_grid(hid_t file, const grid::RingGrid& grid);

/// Reads group `grid`. A named kind is made from its parameters and must have the rings of the file; without a
/// kind, or as `rings`, the rings are those of the file. Throws InputError.
std::shared_ptr<const grid::RingGrid> read_hdf5_grid(hid_t file, const std::string& path);

}  // namespace armilla::io
