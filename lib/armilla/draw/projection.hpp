#pragma once

#include <optional>
#include <vector>

namespace armilla::draw {

enum class Projection {
  kMollweide,  ///< the whole sky in an ellipse, equal areas
  /// The sphere from infinity: the hemisphere around the centre and, next to it, that of the far side.
  kOrthographic,
  kOrthographicFront,  ///< the hemisphere around the centre only
  kPlateCarree,        ///< the whole sky in a rectangle: x increases with longitude, y with latitude
};

enum class Orientation {
  kAstronomical,  ///< seen from inside: longitude increases to the left
  kGeographic,    ///< seen from outside: longitude increases to the right
};

/// A direction on the sphere: Cartesian unit vector, z to the north pole, x to longitude 0.
struct Direction {
  double x = 1;
  double y = 0;
  double z = 0;
};

/// The direction of a longitude and a latitude [degree].
Direction direction(double lon_deg, double lat_deg);

/// A position in the plane of a projection; coordinates increase to the right and up, and the centre of the picture is
/// (0, 0).
struct PlanePoint {
  double x = 0;
  double y = 0;
};

/// An ellipse, or a rectangle, of half height 1 around (centre_x, 0).
struct Outline {
  double centre_x = 0;
  double half_width = 1;
  bool is_rectangle = false;
  /// In units of the plane.
  double area() const;
};

/// Transforms between sphere and plane. The sphere is rotated so that the centre (longitude, latitude) is in the middle
/// and north is up.
class SphereView {
 public:
  SphereView(Projection projection, Orientation orientation, double centre_lon_deg, double centre_lat_deg);

  /// The outlines of the drawing: one ellipse with half axes 2 and 1, one or two circles of radius 1, or a rectangle of
  /// 4 by 2.
  std::vector<Outline> outlines() const;
  /// Half width of all outlines together; their half height is 1.
  double half_width() const;
  /// The position of a direction; std::nullopt if it is on the far side of kOrthographicFront.
  std::optional<PlanePoint> to_plane(const Direction& direction) const;
  /// The direction drawn at a position; std::nullopt outside the outline.
  std::optional<Direction> to_sphere(const PlanePoint& point) const;
  /// Solid angle per unit area at a position inside the outline [sr]; it diverges at the rim of orthographic discs.
  double solid_angle(const PlanePoint& point) const;

 private:
  Direction turn_to_view(const Direction& sky) const;
  Direction turn_to_sky(const Direction& view) const;

  Projection projection_;
  double handedness_;  ///< -1 if longitude increases to the left
  /// Axes of the view in sky coordinates: towards the viewer, to the east, to the north.
  Direction forward_, east_, north_;
};

}  // namespace armilla::draw
