#pragma once

#include <string>

#include <fitsio.h>

namespace armilla::io {

/// Throws InputError unless the current HDU of `file`, a tile-compressed table (FITS 4.0, section 10.3), is consistent:
/// cfitsio sizes its buffers from the header without a check. The keywords must agree with each other and with the
/// types of the columns, and each tile that is compressed with gzip must inflate to the size of its values. `name`: of
/// the file, for messages.
void check_packed_table(fitsfile* file, const std::string& name);

}  // namespace armilla::io
