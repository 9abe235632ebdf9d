#pragma once

#include <armilla/io/fits_handle.hpp>

#include <optional>
#include <string>
#include <vector>

/// @file
/// The choice of an extension of a FITS file. HDUs in messages and in `hdu` of inputs are counted from 0, the primary
/// one; those of FitsFile from 1.

namespace armilla::io {

/// Moves to the HDU with this number, or with this EXTNAME. Returns its number in FitsFile. Throws InputError, listing
/// the extensions, if there is none, or if it is not a table.
int move_to_hdu(const FitsFile& file, const std::string& hdu);

/// Moves to the first table that is a HEALPix map by its header, or by the keywords of the primary header and the
/// length of a column. Returns its number in FitsFile; std::nullopt if there is none, and moves to the first table.
/// Throws InputError if the file has no table.
std::optional<int> find_map(const FitsFile& file);

/// Whether the current HDU is a table with the header of a HEALPix map.
bool is_map_header(const FitsFile& file);

/// The EXTNAME of each extension of a file, empty where there is none. Throws InputError.
std::vector<std::string> fits_extension_names(const std::string& path);

/// The extensions of a file, "1 (Q-MAP), 2 (U-MAP)".
std::string extension_list(const FitsFile& file);

}  // namespace armilla::io
