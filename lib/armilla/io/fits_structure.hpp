#pragma once

#include <string>

namespace armilla::io {

/// Checks the sizes declared in the headers of a FITS file (NAXIS1, NAXIS2, PCOUNT, TFIELDS) against the file size
/// before cfitsio allocates memory for them. Padding of the last block may be missing. Throws InputError for a
/// truncated file and for sizes that FITS does not allow.
void check_fits_structure(const std::string& path);

}  // namespace armilla::io
