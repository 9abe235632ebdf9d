#pragma once

#include <armilla/draw/image.hpp>

#include <string>

namespace armilla::draw {

/// Writes an 8-bit RGB PNG to `path`: under a temporary name in the same folder first, renamed when complete, so that
/// `path` never holds half a picture. Throws InputError where the file cannot be created, ResourceError where writing
/// fails (a full disk); both name the path, and the temporary file is removed.
void write_png(const std::string& path, const Image& image);

}  // namespace armilla::draw
