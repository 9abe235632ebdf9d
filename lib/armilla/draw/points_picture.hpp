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

/// A sphere for each component of values at points, or one with the density of points alone. A point is a dot whose
/// size follows from the number of points, one pixel of the picture where they are many; dots that cover each other
/// show the mean of their values, and the density is that of what they cover. Values that are bad are not drawn, nor,
/// with logarithmic colours, those that are not positive.
class PointsPicture {
 public:
  /// `points`: how many there will be about. Without panels the density is drawn, in the range `density`. Throws as
  /// check_style().
  PointsPicture(Index points, std::span<const PointsPanel> panels, const MapStyle& style,
                const RangeStyle& density = {});

  /// Adds points at theta and phi [rad] with `values` [panel][point], which are not used for the density.
  void add(std::span<const double> theta, std::span<const double> phi, std::span<const double> values);

  /// Draws what was added; returns the bytes of the file. Throws as draw_spheres(), and InputError for colour ranges
  /// whose ends are not ascending.
  std::string finish() const;

 private:
  /// What dots have left in the pixels of the sphere.
  struct Layer {
    std::vector<double> sums;     ///< of values, by how much of the pixel a dot covers
    std::vector<double> covered;  ///< by all dots; more than 1 where they lie on each other
  };

  /// Pixels around the centre of a dot and how much of each it covers.
  template <class Take>
  void cover(const Point& centre, const Take& take) const;
  std::vector<double> shown(std::size_t layer) const;
  Raster paint(std::size_t layer, const ColorRange& range, const ColorMap& colors) const;

  MapStyle style_;
  SphereView view_;
  SphereFrame frame_;  ///< of a panel whose top is at 0
  PixelBox box_;
  double radius_;  ///< of a dot [pixels]; 0: one pixel
  bool is_density_;
  std::vector<PointsPanel> panels_;
  std::vector<Layer> layers_;  ///< [panel]
};

}  // namespace armilla::draw
