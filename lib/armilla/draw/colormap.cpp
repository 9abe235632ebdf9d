#include <armilla/core/types.hpp>
#include <armilla/draw/colormap.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace armilla::draw {
namespace {

/// A colour of Oklab in polar coordinates.
struct ControlPoint {
  double lightness;  // 0 black .. 1 white
  double chroma;     // 0 grey .. about 0.3 vivid
  double hue;        // [degree]
};

constexpr ControlPoint kSequentialPoints[] = {
    {0.200, 0.090, 285}, {0.295, 0.125, 285}, {0.390, 0.135, 272}, {0.485, 0.120, 250}, {0.580, 0.100, 215},
    {0.675, 0.110, 178}, {0.770, 0.140, 150}, {0.865, 0.160, 122}, {0.960, 0.110, 104},
};

constexpr ControlPoint kDivergingPoints[] = {
    {0.320, 0.180, 264}, {0.4825, 0.180, 261}, {0.645, 0.150, 248}, {0.8075, 0.095, 235}, {0.970, 0.015, 90},
    {0.8075, 0.110, 72}, {0.645, 0.165, 47},   {0.4825, 0.170, 31}, {0.320, 0.120, 27},
};

struct Oklab {
  double lightness, a, b;
};

Oklab cartesian(const ControlPoint& point) {
  const double hue = point.hue * core::kPi / 180;
  return {point.lightness, point.chroma * std::cos(hue), point.chroma * std::sin(hue)};
}

// IEC 61966-2-1.
std::uint8_t encode(double linear) {
  const double value = std::clamp(linear, 0.0, 1.0);
  const double encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * encoded));
}

// The matrices of Ottosson 2020, "A perceptual color space for image processing".
Rgb to_rgb(const Oklab& color) {
  const auto cube = [](double value) { return value * value * value; };
  const double l = cube(color.lightness + 0.3963377774 * color.a + 0.2158037573 * color.b);
  const double m = cube(color.lightness - 0.1055613458 * color.a - 0.0638541728 * color.b);
  const double s = cube(color.lightness - 0.0894841775 * color.a - 1.2914855480 * color.b);
  return {encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

Rgb interpolate(std::span<const ControlPoint> points, double value) {
  const double place = value * static_cast<double>(points.size() - 1);
  const auto left = std::min(static_cast<std::size_t>(place), points.size() - 2);
  const double share = place - static_cast<double>(left);
  const Oklab a = cartesian(points[left]), b = cartesian(points[left + 1]);
  return to_rgb({std::lerp(a.lightness, b.lightness, share), std::lerp(a.a, b.a, share), std::lerp(a.b, b.b, share)});
}

}  // namespace

ColorMap::ColorMap(ColorMapKind kind) {
  const std::span<const ControlPoint> points =
      kind == ColorMapKind::kSequential ? std::span(kSequentialPoints) : std::span(kDivergingPoints);
  for (std::size_t i = 0; i < kSteps; ++i)
    table_[i] = interpolate(points, static_cast<double>(i) / static_cast<double>(kSteps - 1));
}

Rgb ColorMap::operator()(double value) const {
  if (std::isnan(value)) return kBadColor;
  return table_[static_cast<std::size_t>(std::lround(std::clamp(value, 0.0, 1.0) * static_cast<double>(kSteps - 1)))];
}

}  // namespace armilla::draw
