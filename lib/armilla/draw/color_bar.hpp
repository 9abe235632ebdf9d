#pragma once

#include <armilla/draw/canvas.hpp>
#include <armilla/draw/colormap.hpp>
#include <armilla/draw/value_range.hpp>

#include <string>

namespace armilla::draw {

/// Where a colour bar stands [pixels]; ticks and labels are drawn below it, the unit to the right of it.
struct ColorBarBox {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
  double text_size = 20;
};

/// Draws a horizontal colour bar with ticks; ends beyond which the map has values are pointed.
void draw_color_bar(Canvas& canvas, const ColorBarBox& box, const ColorMap& colors, const ColorRange& range,
                    const std::string& unit);

/// A unit as it is printed: "uK_CMB" becomes a micro sign, K and a lowered CMB.
std::string pretty_unit(const std::string& unit);

}  // namespace armilla::draw
