#pragma once

#include <armilla/io/fits_handle.hpp>

#include <vector>

namespace armilla::io {

/// The columns of a table that are maps.
struct MapTable {
  std::vector<FitsColumn> maps;
  FitsColumn pixel;             ///< pixel numbers, or those of cells; number 0 if the index is implicit
  Index values = 0;             ///< number of values of each map column
  bool is_multi_order = false;  ///< whether `pixel` has the numbers of cells (multi_order.hpp)
};

/// The maps of the current table, for a map of `npix` pixels: columns with one value for each pixel, or for each entry
/// of an explicit index. Throws InputError if there are none.
MapTable map_table(const FitsFile& file, Index npix);

/// The same for a table of cells, of any number of pixels.
MapTable multi_order_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index rows);

}  // namespace armilla::io
