#include <armilla/ops/coordinates.hpp>

#include <cmath>

namespace armilla::ops {

namespace {

using math::product;
using math::RotationMatrix;

constexpr long double kDegree = 3.14159265358979323846264338327950288L / 180;
constexpr long double kArcSecond = kDegree / 3600;

// Matrix that gives the new coordinates of a point when the axes are rotated by `angle`.
RotationMatrix axes_about_x(long double angle) {
  const long double c = std::cos(angle);
  const long double s = std::sin(angle);
  return {{{1, 0, 0}, {0, c, s}, {0, -s, c}}};
}
RotationMatrix axes_about_y(long double angle) {
  const long double c = std::cos(angle);
  const long double s = std::sin(angle);
  return {{{c, 0, -s}, {0, 1, 0}, {s, 0, c}}};
}
RotationMatrix axes_about_z(long double angle) {
  const long double c = std::cos(angle);
  const long double s = std::sin(angle);
  return {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
}

RotationMatrix to_equatorial(Coordinates from) {
  switch (from) {
    case Coordinates::kGalactic:
      return math::transpose(product(
          axes_about_z((180 - (122 + 55 / 60.0L + 54.90684481L / 3600)) * kDegree),
          product(axes_about_y((90 - 27.12825118085622L) * kDegree), axes_about_z(192.8594812065348L * kDegree))));
    case Coordinates::kEcliptic: {
      const RotationMatrix icrs_to_ecliptic =
          product(axes_about_z(0.041775L * kArcSecond),
                  product(axes_about_x(84381.412819L * kArcSecond), axes_about_z(-0.052928L * kArcSecond)));
      const RotationMatrix icrs_to_equatorial =
          product(axes_about_x(0.0199L * kArcSecond),
                  product(axes_about_y(0.0091L * kArcSecond), axes_about_z(-0.0229L * kArcSecond)));
      return product(icrs_to_equatorial, math::transpose(icrs_to_ecliptic));
    }
    case Coordinates::kEquatorial:
      break;
  }
  return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

}  // namespace

const char* name_of(Coordinates coordinates) {
  switch (coordinates) {
    case Coordinates::kGalactic:
      return "galactic";
    case Coordinates::kEcliptic:
      return "ecliptic";
    case Coordinates::kEquatorial:
      break;
  }
  return "equatorial";
}

std::string letter_of(Coordinates coordinates) {
  return coordinates == Coordinates::kGalactic ? "G" : coordinates == Coordinates::kEcliptic ? "E" : "C";
}

std::optional<Coordinates> coordinates_of_letter(std::string_view letter) {
  for (const Coordinates coordinates : kAllCoordinates)
    if (letter == letter_of(coordinates)) return coordinates;
  return std::nullopt;
}

math::RotationMatrix coordinate_matrix(Coordinates from, Coordinates to) {
  return product(math::transpose(to_equatorial(to)), to_equatorial(from));
}

math::EulerAngles coordinate_rotation(Coordinates from, Coordinates to) {
  if (from == to) return {};
  return math::euler_angles(coordinate_matrix(from, to));
}

}  // namespace armilla::ops
