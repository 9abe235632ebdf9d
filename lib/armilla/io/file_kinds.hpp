#pragma once

#include <armilla/io/metadata.hpp>

#include <string>

namespace armilla::io {

/// True if the content begins as the format does. Throw InputError if the file cannot be read.
bool is_hdf5(const std::string& path);
bool is_fits(const std::string& path);

/// What a file of that format holds. Throw InputError for a truncated file or one that holds nothing known.
FileKind hdf5_kind(const std::string& path);
FileKind fits_kind(const std::string& path);

}  // namespace armilla::io
