#pragma once

#include <armilla/draw/sphere_picture.hpp>
#include <armilla/draw/value_range.hpp>
#include <armilla/grid/ring_grid.hpp>

#include <span>
#include <string>

namespace armilla::draw {

/// One component of a map, with its own colour bar.
struct MapPanel {
  std::span<const double> values;  ///< [pixel], in the order of the grid's rings
  std::string title = {};          ///< in the corner at the top left of the panel, such as "Q"; may be empty
  std::string unit = {};           ///< beside the colour bar; may be empty
  RangeStyle range;
};

/// Draws the components of a map one under another, each as a sphere with a colour bar; returns the bytes of the file.
/// Every place shows the pixel that PixelFinder finds there; a pixel of the picture is the mean of four places. Bad
/// pixels are grey, as are those that are not positive where colours are logarithmic.
/// Throws as make_canvas(), and InputError for no panels, values that do not fit the grid, a picture too small or too
/// large, a centre or a graticule that is not a number, and colour ranges whose ends are not ascending.
std::string draw_map(const grid::RingGrid& grid, std::span<const MapPanel> panels, const MapStyle& style = {});
/// The same for one component.
std::string draw_map(const grid::RingGrid& grid, const MapPanel& panel, const MapStyle& style = {});

}  // namespace armilla::draw
