#pragma once

#include <armilla/draw/sphere_picture.hpp>
#include <armilla/draw/value_range.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::draw {

/// One component of the values at points, with its own colour bar.
struct PointsPanel {
  std::string title = {};
  std::string unit = {};
  RangeStyle range = {};
};

/// Draws a sphere for each component of values at points, or one with the density of the points. A point is a dot whose
/// size depends on the number of points; with many points it is one pixel of the picture. Overlapping dots show the
/// mean of their values; the density is that of the area they cover. Bad values are not drawn, nor are non-positive
/// values with logarithmic colours.
class PointsPicture {
 public:
  /// `points`: approximate number of points. Without panels the density is drawn, in the range `density`. Throws like
  /// check_style().
  PointsPicture(Index points, std::span<const PointsPanel> panels, const MapStyle& style,
                const RangeStyle& density = {});

  /// Adds points at theta and phi [rad] with `values` [panel][point], which the density ignores. Throws InputError if
  /// their numbers disagree.
  void add(std::span<const double> theta, std::span<const double> phi, std::span<const double> values);

  /// Draws the points added so far; returns the contents of the file. Throws like draw_spheres(), and InputError for
  /// colour ranges whose ends are not ascending.
  std::string finish() const;

 private:
  /// Accumulated dots in the pixels of the sphere.
  struct Layer {
    std::vector<double> sums;     ///< of values, weighted by the fraction of the pixel that a dot covers
    std::vector<double> covered;  ///< by all dots; more than 1 if they overlap
  };

  /// Calls `take` for the pixels around the centre of a dot, with the covered fraction of each.
  template <class Take>
  void cover(const Point& centre, const Take& take) const;
  std::vector<double> shown(std::size_t layer) const;
  Raster paint(std::size_t layer, const ColorRange& range, const ColorMap& colors) const;

  MapStyle style_;
  SphereView view_;
  SphereFrame frame_;  ///< of a panel whose top is at 0
  PixelBox box_;
  double radius_;  ///< radius of a dot [pixels]; 0: one pixel
  bool is_density_;
  std::vector<PointsPanel> panels_;
  std::vector<Layer> layers_;  ///< [panel]
};

}  // namespace armilla::draw
