#pragma once

#include <armilla/core/types.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::io {

using core::Index;

/// A table of the HEALPix library other than a map.
struct HealpixTable {
  std::string what;                  ///< such as "ring weights"
  bool is_weights = false;           ///< quadrature weights; otherwise a function of l
  Index nside = 0;                   ///< 0 if unspecified in the file
  Index rows = 0;                    ///< number of rows of the table
  std::vector<std::string> columns;  ///< names in the file
  std::string use;                   ///< use of such files in Armilla
};

/// The table of a FITS file with ring weights, pixel weights or a pixel window, identified by the names of its columns
/// and of its extension; std::nullopt for other files. Throws InputError for a FITS file that cannot be read.
std::optional<HealpixTable> find_healpix_table(const std::string& path);

}  // namespace armilla::io
