#pragma once

#include <armilla/draw/canvas.hpp>

#include <string>

namespace armilla::draw {

/// The bytes of a PNG file with a palette. Up to 256 different colours are kept as they are; of more, colours that are
/// close become the one of them that is most frequent. Throws core::ResourceError where libpng fails.
std::string png_file(const Raster& raster);

}  // namespace armilla::draw
