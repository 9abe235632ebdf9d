#pragma once

#include <armilla/dist/distribution.hpp>
#include <armilla/io/fits_handle.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

/// @file
/// Multi-order HEALPix maps: tables whose rows are cells of different nside, as gravitational-wave sky maps have them.
/// A cell is numbered by 4 nside^2 + its NESTED pixel (the NUNIQ scheme of IVOA's recommendation MOC 2.0).

namespace armilla::io {

/// Whether the current HDU, or the primary header, has ORDERING = NUNIQ, or no ORDERING but a column UNIQ.
bool is_multi_order(const FitsFile& file);

/// The column with the numbers of the cells: the one with the name UNIQ, otherwise the first. Throws InputError if it
/// does not contain integers.
FitsColumn cell_column(const FitsFile& file, const std::vector<FitsColumn>& columns);

/// The nside of the coarsest and of the finest cell of a table. Throws InputError if a number is not that of a cell.
struct CellSizes {
  Index coarsest, finest;
};
CellSizes cell_sizes(const FitsFile& file, const FitsColumn& cells, Index count);

/// Reads this rank's ranges (RING order) of a column, flattened to one nside, a power of two: pixels inside a cell have
/// its value, others the mean of the good values of their cells, weighted by area. Pixels without cells become
/// kBadPixel. Throws InputError if cells overlap.
template <class T>
void read_multi_order(const FitsFile& file, const FitsColumn& cells, const FitsColumn& column, Index count, Index nside,
                      double bad_value, std::span<const dist::PixelRange> ranges, std::span<T> out);

}  // namespace armilla::io
