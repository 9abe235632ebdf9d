#pragma once

#include <armilla/core/types.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::io {

using core::Index;

/// A table that the HEALPix library keeps beside its maps.
struct HealpixTable {
  std::string what;                  ///< such as "ring weights"
  bool is_weights = false;           ///< of quadrature; else a function of l
  Index nside = 0;                   ///< 0 if the file does not say
  Index rows = 0;                    ///< of the table
  std::vector<std::string> columns;  ///< as the file names them
  std::string use;                   ///< what Armilla does with such files
};

/// The table of a FITS file that holds ring weights, pixel weights or a pixel window, told by the names of its columns
/// and of its extension; nothing for other files. Throws InputError for a FITS file that cannot be read.
std::optional<HealpixTable> find_healpix_table(const std::string& path);

}  // namespace armilla::io
