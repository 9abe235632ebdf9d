#pragma once

#include <armilla/draw/canvas.hpp>
#include <armilla/draw/colormap.hpp>
#include <armilla/draw/value_range.hpp>

#include <string>

namespace armilla::draw {

/// Position of a colour bar [pixels]. Ticks and labels are drawn below it, the unit to its right.
struct ColorBarBox {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
  double text_size = 20;
};

/// Draws a horizontal colour bar with ticks; an end is pointed if the map has values beyond it.
void draw_color_bar(Canvas& canvas, const ColorBarBox& box, const ColorMap& colors, const ColorRange& range,
                    const std::string& unit);

/// A unit formatted for display: "uK_CMB" becomes a micro sign, K and a subscript CMB.
std::string pretty_unit(const std::string& unit);

}  // namespace armilla::draw
