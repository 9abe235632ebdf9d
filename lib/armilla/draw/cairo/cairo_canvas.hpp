#pragma once

#include <armilla/draw/canvas.hpp>

namespace armilla::draw {

/// File name of the module, next to Armilla's other libraries, and the one function that it exports.
inline constexpr const char* kCairoModule = "libarmilla_cairo.so";
inline constexpr const char* kMakeCairoCanvas = "armilla_make_cairo_canvas";

/// Creates a Canvas that uses Cairo; the caller deletes it. Throws core::ResourceError if no font is installed, or if
/// Cairo cannot create a picture of this size.
using MakeCairoCanvas = Canvas*(PictureFormat format, int width, int height);

}  // namespace armilla::draw
