#pragma once

#include <armilla/io/fits_handle.hpp>

#include <string>
#include <vector>

namespace armilla::io {

/// Appends a binary table with `values` values in each column. Each row holds `repeat` values per column; `repeat` is
/// the same for all columns. Throws ResourceError.
void create_fits_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index values,
                       const std::string& extension_name);

/// Upper bound on the disk space of such a table, including headers [bytes].
Index fits_table_bytes(const std::vector<FitsColumn>& columns, Index values);

}  // namespace armilla::io
