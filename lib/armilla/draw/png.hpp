#pragma once

#include <armilla/draw/image.hpp>

#include <string>

namespace armilla::draw {

/// Writes an 8-bit RGB PNG to `path` by way of a core::PartialFile, so `path` never holds an incomplete picture. Throws
/// InputError where the file cannot be created, ResourceError where writing fails (a full disk); both name the path,
/// and the partial file is removed.
void write_png(const std::string& path, const Image& image);

}  // namespace armilla::draw
