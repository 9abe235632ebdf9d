#pragma once

#include <armilla/draw/canvas.hpp>
#include <armilla/draw/colormap.hpp>
#include <armilla/draw/projection.hpp>
#include <armilla/draw/value_range.hpp>

#include <functional>
#include <span>
#include <string>

namespace armilla::draw {

enum class ColorChoice {
  kAutomatic,  ///< diverging if the range is symmetric about zero, otherwise sequential
  kSequential,
  kDiverging,
};

/// Options for drawing spheres.
struct MapStyle {
  Projection projection = Projection::kMollweide;
  Orientation orientation = Orientation::kAstronomical;
  double centre_lon_deg = 0;
  double centre_lat_deg = 0;
  double graticule_deg = 0;  ///< spacing of meridians and parallels; 0 draws none
  ColorChoice colors = ColorChoice::kAutomatic;
  std::string title = {};  ///< above all panels; may be empty
  PictureFormat format = PictureFormat::kPng;
  int width = 1000;  ///< of the picture [pixels], at least 200; the height follows from the contents
};

/// Position of a sphere in the picture.
struct SphereFrame {
  Point centre;
  double scale;
  Point to_image(const PlanePoint& point) const { return {centre.x + scale * point.x, centre.y - scale * point.y}; }
  PlanePoint to_plane(double x, double y) const { return {(x - centre.x) / scale, (centre.y - y) / scale}; }
};

/// Pixels of a picture.
struct PixelBox {
  int left = 0, top = 0, width = 0, height = 0;
};

/// One sphere with its colour bar.
struct SpherePanel {
  std::string title = {};
  std::string unit = {};
  ColorRange range;
  /// The colours of the pixels of the box, which contains the sphere of the frame; anything outside the sphere is
  /// clipped.
  std::function<Raster(const SphereFrame& frame, const PixelBox& box, const ColorMap& colors)> paint;
};

SphereView view_of(const MapStyle& style);

/// The position of the sphere of a panel whose top is at `top`, and the pixels that it touches.
SphereFrame frame_of(const MapStyle& style, double top);
PixelBox box_of(const MapStyle& style, const SphereFrame& frame);

/// Throws InputError for a picture too small, and for a non-finite centre or graticule.
void check_style(const MapStyle& style);

/// Draws the panels below each other; returns the contents of the file. Throws like make_canvas() and check_style().
std::string draw_spheres(std::span<const SpherePanel> panels, const MapStyle& style);

}  // namespace armilla::draw
