#pragma once

#include <armilla/nufft/cell_grid.hpp>

namespace armilla::nufft {

// Between the samples of a band and the buffer of a cell: its windows' rows, kCellPitch samples apart. The period of
// phi is continued here, so that a band needs no halo in phi. Rows that the band does not have are left out.

/// Copies the samples of a cell with its windows; other columns of the buffer, and rows outside the band, keep theirs.
template <class T>
void load_cell(const CellGrid& grid, const Band& band, Index cell, const T* const* rows, T* buffer);

/// Prefetches the samples of a cell that are not those of the cell before it.
template <class T>
void prefetch_cell(const CellGrid& grid, const Band& band, Index cell, const T* const* rows);

/// Adds the rows of the cell itself to the samples of the band, and the width - 1 rows behind them, which belong to the
/// next strip, to `overhang` [width - 1 rows][fine_length].
template <class T>
void add_cell(const CellGrid& grid, const Band& band, Index cell, const T* buffer, T* const* rows, T* overhang);

}  // namespace armilla::nufft
