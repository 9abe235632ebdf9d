#pragma once

#include <string>

namespace armilla::io {

/// Compares the sizes that the headers of a FITS file announce (NAXIS1, NAXIS2, PCOUNT, TFIELDS) with the file, before
/// cfitsio allocates memory for them. Padding of the last block may be missing. Throws InputError for a truncated file,
/// and for sizes that FITS does not allow.
void check_fits_structure(const std::string& path);

}  // namespace armilla::io
