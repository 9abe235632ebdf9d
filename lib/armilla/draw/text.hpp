#pragma once

#include <armilla/draw/canvas.hpp>

#include <string>
#include <string_view>

namespace armilla::draw {

enum class HorizontalAlign { kLeft, kCentre, kRight };

struct TextStyle {
  double size = 20;  ///< height of a line [pixels]; capitals are 0.7 of it
  Rgb color = kBlack;
  HorizontalAlign align = HorizontalAlign::kLeft;
  double angle_deg = 0;  ///< counterclockwise about the anchor
};

/// Draws one line of UTF-8 text; `anchor` is on the base line, at its left end, middle or right end.
/// The font is a set of strokes that belongs to this library: ASCII and a few signs (degree, micro, minus, times, pi,
/// script l); other characters appear as an empty box.
/// `^2`, `^-2` and `^{...}` set superscripts, `_{...}` subscripts; a plain underscore stays one.
void draw_text(Image& image, Point anchor, std::string_view text, const TextStyle& style);

/// Width [pixels] that draw_text needs at this size.
double text_width(std::string_view text, double size);

}  // namespace armilla::draw
