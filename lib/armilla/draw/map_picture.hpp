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
  std::string title = {};          ///< top left corner of the panel, such as "Q"; may be empty
  std::string unit = {};           ///< next to the colour bar; may be empty
  RangeStyle range;
};

/// Draws the components of a map below each other, each as a sphere with a colour bar; returns the contents of the
/// file. Each sample shows the pixel found by PixelFinder; a pixel of the picture is the mean of four samples. Bad
/// pixels are grey, and so are non-positive pixels with logarithmic colours. Throws like make_canvas(). Throws
/// InputError for no panels, values that do not match the grid, a picture too small or too large, a non-finite centre
/// or graticule, and colour ranges whose ends are not ascending.
std::string draw_map(const grid::RingGrid& grid, std::span<const MapPanel> panels, const MapStyle& style = {});
/// Draws a single component.
std::string draw_map(const grid::RingGrid& grid, const MapPanel& panel, const MapStyle& style = {});

}  // namespace armilla::draw
