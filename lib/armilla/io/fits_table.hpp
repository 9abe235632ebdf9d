#pragma once

#include <armilla/io/fits_handle.hpp>

#include <string>
#include <vector>

namespace armilla::io {

/// Appends a binary table with `values` values in each column, as many per row as `repeat` of the columns, which is the
/// same for all. Throws ResourceError.
void create_fits_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index values,
                       const std::string& extension_name);

/// Disk space that such a table takes with its headers [bytes], rounded up generously.
Index fits_table_bytes(const std::vector<FitsColumn>& columns, Index values);

}  // namespace armilla::io
