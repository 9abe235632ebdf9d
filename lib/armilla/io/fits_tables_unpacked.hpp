#pragma once

#include <string>

namespace armilla::io {

/// Writes a FITS file whose tables are compressed by tiles (ZTABLE = T, as fpack writes them) to an open file, with
/// ordinary tables. `name`: of the file, in messages. Throws InputError if it is damaged, and ResourceError.
void unpack_fits_tables(const std::string& path, const std::string& name, int descriptor);

}  // namespace armilla::io
