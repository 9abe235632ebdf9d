#pragma once

#include <armilla/io/metadata.hpp>

#include <string>

namespace armilla::io {

/// True if the content begins like the format. Throws InputError if the file cannot be read.
bool is_hdf5(const std::string& path);
bool is_fits(const std::string& path);

/// The contents of a file of that format. Throws InputError for a truncated file or unknown contents.
FileKind hdf5_kind(const std::string& path);
FileKind fits_kind(const std::string& path);

}  // namespace armilla::io
