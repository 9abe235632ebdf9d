#pragma once

#include <armilla/io/fits_handle.hpp>
#include <armilla/io/metadata.hpp>

#include <string>

namespace armilla::io {

/// The dataset of spectra in HDF5 files.
inline constexpr const char* kSpectraDataset = "cl";

/// True if the content begins like the format. Throws InputError if the file cannot be read.
bool is_hdf5(const std::string& path);
bool is_fits(const std::string& path);

/// The contents of a file of that format; of its extension `hdu`, if it is not empty. Throws InputError for a truncated
/// file, unknown contents, or an extension that does not exist.
FileKind hdf5_kind(const std::string& path, const std::string& hdu);
FileKind fits_kind(const std::string& path, const std::string& hdu);

/// The HDU of the table of spectra or windows: the first table, or the only such table behind others, as in the maps of
/// Planck; 0 if there is none. Moves to another HDU. Throws InputError, which lists them, if there are several.
int find_spectra_table(const FitsFile& file);

}  // namespace armilla::io
