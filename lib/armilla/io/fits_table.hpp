#pragma once

#include <armilla/io/fits_handle.hpp>
#include <armilla/io/metadata.hpp>

#include <string>
#include <vector>

namespace armilla::io {

/// Appends a binary table with `values` values in each column. Each row holds `repeat` values per column; `repeat` is
/// the same for all columns. Throws ResourceError.
void create_fits_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index values,
                       const std::string& extension_name);

/// Upper bound on the disk space of such a table, including headers [bytes].
Index fits_table_bytes(const std::vector<FitsColumn>& columns, Index values);

/// Coordinates and polarisation convention in the header of the current HDU. Reading throws InputError, writing
/// ResourceError.
void read_fits_conventions(const FitsFile& file, FieldMetadata& metadata);
void write_fits_conventions(const FitsFile& file, const FieldMetadata& metadata);

}  // namespace armilla::io
