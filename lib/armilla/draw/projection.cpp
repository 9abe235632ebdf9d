#include <armilla/core/types.hpp>
#include <armilla/draw/projection.hpp>

#include <algorithm>
#include <cmath>

namespace armilla::draw {
namespace {

using core::kPi;

/// Distance of the centres of the two discs from the middle of the picture, slightly more than their radius.
constexpr double kDiscCentre = 1.02;

double dot(const Direction& a, const Direction& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// The auxiliary angle a of Mollweide's projection, 2 a + sin 2a = pi sin(latitude), for |a| <= pi/2.
double auxiliary_angle(double sin_latitude) {
  const double target = kPi * std::clamp(std::abs(sin_latitude), 0.0, 1.0);
  // The slope vanishes at the pole. The initial value follows from the expansion 2a + sin 2a = pi - (4/3) (pi/2 - a)^3.
  // It is accurate near the pole and adequate elsewhere, and Newton's iteration converges from one side.
  double angle = kPi / 2 - std::cbrt(0.75 * (kPi - target));
  for (int i = 0; i < 20; ++i) {
    const double slope = 2 + 2 * std::cos(2 * angle);
    if (slope < 1e-12) break;
    const double step = (2 * angle + std::sin(2 * angle) - target) / slope;
    angle -= step;
    if (std::abs(step) < 1e-15) break;
  }
  return std::copysign(std::min(angle, kPi / 2), sin_latitude);
}

PlanePoint mollweide(const Direction& view) {
  const double angle = auxiliary_angle(view.z);
  return {2 / kPi * std::atan2(view.y, view.x) * std::cos(angle), std::sin(angle)};
}

std::optional<Direction> mollweide_inverse(double x, double y) {
  if (x * x / 4 + y * y > 1) return std::nullopt;
  const double angle = std::asin(y), cos_angle = std::cos(angle);
  const double z = std::clamp((2 * angle + std::sin(2 * angle)) / kPi, -1.0, 1.0);
  const double longitude = cos_angle > 0 ? kPi * x / (2 * cos_angle) : 0;
  const double radius = std::sqrt((1 - z) * (1 + z));
  return Direction{radius * std::cos(longitude), radius * std::sin(longitude), z};
}

std::optional<Direction> disc_inverse(double x, double y) {
  const double squared = x * x + y * y;
  if (squared > 1) return std::nullopt;
  return Direction{std::sqrt(1 - squared), x, y};
}

/// Scale of the plane: x = 2 is half a turn in longitude, y = 1 is the pole.
constexpr double kPlateScale = 2 / kPi;

std::optional<Direction> plate_carree_inverse(double x, double y) {
  if (std::abs(x) > 2 || std::abs(y) > 1) return std::nullopt;
  const double longitude = x / kPlateScale, latitude = y / kPlateScale;
  return Direction{std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
                   std::sin(latitude)};
}

}  // namespace

double Outline::area() const { return (is_rectangle ? 4 : kPi) * half_width; }

Direction direction(double lon_deg, double lat_deg) {
  const double lon = lon_deg * kPi / 180, lat = lat_deg * kPi / 180;
  return {std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon), std::sin(lat)};
}

SphereView::SphereView(Projection projection, Orientation orientation, double centre_lon_deg, double centre_lat_deg)
    : projection_(projection),
      handedness_(orientation == Orientation::kAstronomical ? -1 : 1),
      forward_(direction(centre_lon_deg, centre_lat_deg)),
      east_(direction(centre_lon_deg + 90, 0)),
      north_(direction(centre_lon_deg, centre_lat_deg + 90)) {}

std::vector<Outline> SphereView::outlines() const {
  switch (projection_) {
    case Projection::kMollweide:
      return {{0, 2}};
    case Projection::kOrthographic:
      return {{-kDiscCentre, 1}, {kDiscCentre, 1}};
    case Projection::kPlateCarree:
      return {{0, 2, true}};
    case Projection::kOrthographicFront:
      break;
  }
  return {{0, 1}};
}

double SphereView::half_width() const {
  const Outline last = outlines().back();
  return last.centre_x + last.half_width;
}

Direction SphereView::turn_to_view(const Direction& sky) const {
  return {dot(sky, forward_), dot(sky, east_), dot(sky, north_)};
}

Direction SphereView::turn_to_sky(const Direction& view) const {
  return {view.x * forward_.x + view.y * east_.x + view.z * north_.x,
          view.x * forward_.y + view.y * east_.y + view.z * north_.y,
          view.x * forward_.z + view.y * east_.z + view.z * north_.z};
}

std::optional<PlanePoint> SphereView::to_plane(const Direction& sky) const {
  const Direction view = turn_to_view(sky);
  switch (projection_) {
    case Projection::kMollweide: {
      const PlanePoint point = mollweide(view);
      return PlanePoint{handedness_ * point.x, point.y};
    }
    case Projection::kOrthographic:
      // The far side is shown as seen after half a turn about the vertical axis of the picture.
      if (view.x >= 0) return PlanePoint{handedness_ * view.y - kDiscCentre, view.z};
      return PlanePoint{-handedness_ * view.y + kDiscCentre, view.z};
    case Projection::kPlateCarree:
      return PlanePoint{handedness_ * kPlateScale * std::atan2(view.y, view.x),
                        kPlateScale * std::asin(std::clamp(view.z, -1.0, 1.0))};
    case Projection::kOrthographicFront:
      break;
  }
  if (view.x < 0) return std::nullopt;
  return PlanePoint{handedness_ * view.y, view.z};
}

std::optional<Direction> SphereView::to_sphere(const PlanePoint& point) const {
  std::optional<Direction> view;
  switch (projection_) {
    case Projection::kMollweide:
      view = mollweide_inverse(handedness_ * point.x, point.y);
      break;
    case Projection::kOrthographic:
      if (point.x < 0) {
        view = disc_inverse(handedness_ * (point.x + kDiscCentre), point.y);
      } else {
        view = disc_inverse(-handedness_ * (point.x - kDiscCentre), point.y);
        if (view) view->x = -view->x;
      }
      break;
    case Projection::kPlateCarree:
      view = plate_carree_inverse(handedness_ * point.x, point.y);
      break;
    case Projection::kOrthographicFront:
      view = disc_inverse(handedness_ * point.x, point.y);
      break;
  }
  if (!view) return std::nullopt;
  return turn_to_sky(*view);
}

double SphereView::solid_angle(const PlanePoint& point) const {
  if (projection_ == Projection::kMollweide) return 2;  // 4 pi over the ellipse of area 2 pi
  if (projection_ == Projection::kPlateCarree) return std::cos(point.y / kPlateScale) / (kPlateScale * kPlateScale);
  double x = point.x;
  if (projection_ == Projection::kOrthographic) x -= std::copysign(kDiscCentre, x);
  // The surface of the sphere is inclined to the plane of the picture.
  return 1 / std::sqrt(std::max(1 - x * x - point.y * point.y, 1e-12));
}

}  // namespace armilla::draw
