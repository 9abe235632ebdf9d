#pragma once

#include <armilla/draw/canvas.hpp>

#include <string_view>

namespace armilla::draw {

/// Minimum text size in small pictures [pixels], for legibility.
inline constexpr double kMinTextSize = 8;

enum class HorizontalAlign { kLeft, kCentre, kRight };

struct TextStyle {
  double size = 20;  ///< em of the font [pixels]; capitals are about 0.7 of it
  Rgb color = kBlack;
  HorizontalAlign align = HorizontalAlign::kLeft;
  double angle_deg = 0;  ///< counterclockwise about the anchor
};

/// Draws one line of UTF-8 text; `anchor` is on the baseline, at its left end, middle or right end. Malformed bytes and
/// control characters appear as U+FFFD. `^2`, `^-2` and `^{...}` set superscripts, `_{...}` subscripts; a plain
/// underscore is drawn unchanged.
void draw_text(Canvas& canvas, Point anchor, std::string_view text, const TextStyle& style);

/// Width [pixels] that draw_text needs at this size.
double text_width(Canvas& canvas, std::string_view text, double size);

}  // namespace armilla::draw
