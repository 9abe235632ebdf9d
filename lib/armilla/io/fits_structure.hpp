#pragma once

#include <armilla/core/types.hpp>

#include <string>

namespace armilla::io {

/// What the headers of a FITS file declare.
struct FitsStructure {
  core::Index unpacked_bytes = 0;  ///< of the tables that are compressed by tiles, after unpacking; 0 if there are none
};

/// Checks the sizes declared in the headers of a FITS file (NAXIS1, NAXIS2, PCOUNT, TFIELDS) against the file size
/// before cfitsio allocates memory for them. Padding of the last block may be missing. Throws InputError for a
/// truncated file and for sizes that FITS does not allow. `path`: of the file; `name`: in messages.
FitsStructure check_fits_structure(const std::string& path, const std::string& name);

}  // namespace armilla::io
