#pragma once

#include <armilla/draw/canvas.hpp>

namespace armilla::draw {

/// The file of the module, beside Armilla's other libraries, and the one function that it exports.
inline constexpr const char* kCairoModule = "libarmilla_cairo.so";
inline constexpr const char* kMakeCairoCanvas = "armilla_make_cairo_canvas";

/// A new Canvas, drawn by Cairo; the caller deletes it. Throws core::ResourceError where no font is installed, or Cairo
/// cannot make a picture of this size.
using MakeCairoCanvas = Canvas*(PictureFormat format, int width, int height);

}  // namespace armilla::draw
