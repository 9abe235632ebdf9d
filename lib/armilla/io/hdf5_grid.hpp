#pragma once

#include <armilla/grid/ring_grid.hpp>
#include <armilla/io/hdf5_handle.hpp>

#include <memory>
#include <string>

namespace armilla::io {

/// Writes group `grid` of an HDF5 file: attribute `kind`, the parameters of that kind, and per ring `theta`, `phi0` and
/// `nphi`. `weight` is written if the grid has weights. A partial sky also gets `ring`, the index of the ring in the
/// full grid. Throws ResourceError.
void write_hdf5_grid(hid_t file, const grid::RingGrid& grid);

/// Reads group `grid`. A named kind is constructed from its parameters, and its rings must match the rings in the file.
/// If `kind` is absent or `rings`, the rings of the file define the grid. Throws InputError.
std::shared_ptr<const grid::RingGrid> read_hdf5_grid(hid_t file, const std::string& path);

}  // namespace armilla::io
