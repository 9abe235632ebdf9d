#pragma once

#include <armilla/draw/canvas.hpp>

#include <string>

namespace armilla::draw {

/// Returns the contents of a PNG file with a palette. Up to 256 colours are exact. With more, similar colours are
/// replaced by the most frequent one among them. Throws core::ResourceError if libpng fails.
std::string png_file(const Raster& raster);

}  // namespace armilla::draw
