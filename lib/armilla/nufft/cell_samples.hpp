#pragma once

#include <armilla/nufft/cell_grid.hpp>

namespace armilla::nufft {

// Copies between the samples of a band and the buffer of a cell, which holds the rows of its windows, kCellPitch
// samples apart. Periodic wrapping in phi happens here, so a band needs no halo in phi. Rows outside the band are
// skipped.

/// Copies the samples covered by the windows of a cell. Other columns of the buffer, and rows outside the band, are
/// unchanged.
template <class T>
void load_cell(const CellGrid& grid, const Band& band, Index cell, const T* const* rows, T* buffer);

/// Prefetches the samples of a cell that the preceding cell does not use.
template <class T>
void prefetch_cell(const CellGrid& grid, const Band& band, Index cell, const T* const* rows);

/// Adds the rows of the cell itself to the samples of the band. Adds the width - 1 rows after them, which belong to the
/// next strip, to `overhang` [width - 1 rows][fine_length].
template <class T>
void add_cell(const CellGrid& grid, const Band& band, Index cell, const T* buffer, T* const* rows, T* overhang);

}  // namespace armilla::nufft
