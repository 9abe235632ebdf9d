#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>
#include <armilla/draw/points_picture.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace armilla::draw {
namespace {

/// Colour of the sphere where there is no point.
constexpr Rgb kEmpty{232, 232, 232};

constexpr double kLargestRadius = 0.003;  ///< relative to the width of the picture
constexpr double kSmallestRadius = 0.75;  ///< [pixels]; smaller dots are one pixel
/// Ratio of the radius of a dot to the distance between evenly distributed points. For values, dots cover most of the
/// sphere; for the density, eight dots overlap at each position.
constexpr double kGapsOfValues = 0.5;
constexpr double kGapsOfDensity = 1.6;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Area of the sphere in square degrees.
constexpr double kSquareDegrees = 4 * core::kPi * (180 / core::kPi) * (180 / core::kPi);

double radius_of_dots(const MapStyle& style, const SphereFrame& frame, Index points, double gaps) {
  const SphereView view = view_of(style);
  double area = 0;
  for (const Outline& outline : view.outlines()) area += outline.area() * frame.scale * frame.scale;
  const double gap = std::sqrt(area / static_cast<double>(std::max<Index>(points, 1)));
  const double radius = std::min(gaps * gap, kLargestRadius * style.width);
  return radius < kSmallestRadius ? 0 : radius;
}

Direction direction_of(double theta, double phi) {
  return {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
}

}  // namespace

PointsPicture::PointsPicture(Index points, std::span<const PointsPanel> panels, const MapStyle& style,
                             const RangeStyle& density)
    : style_(style),
      view_(view_of(style)),
      frame_(frame_of(style, 0)),
      box_(box_of(style, frame_)),
      radius_(radius_of_dots(style, frame_, points, panels.empty() ? kGapsOfDensity : kGapsOfValues)),
      is_density_(panels.empty()),
      panels_(panels.begin(), panels.end()) {
  check_style(style);
  if (is_density_) panels_.push_back({.title = "density", .unit = "per deg^2", .range = density});
  const std::size_t pixels = static_cast<std::size_t>(box_.width) * static_cast<std::size_t>(box_.height);
  layers_.resize(panels_.size());
  for (Layer& layer : layers_) {
    layer.sums.assign(pixels, 0);
    layer.covered.assign(pixels, 0);
  }
}

template <class Take>
void PointsPicture::cover(const Point& centre, const Take& take) const {
  const double x = centre.x - box_.left, y = centre.y - box_.top;
  const auto take_inside = [&](int column, int row, double share) {
    if (column < 0 || row < 0 || column >= box_.width || row >= box_.height) return;
    take(static_cast<std::size_t>(row) * static_cast<std::size_t>(box_.width) + static_cast<std::size_t>(column),
         share);
  };
  if (radius_ == 0) {
    take_inside(static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y)), 1);
    return;
  }
  const double reach = radius_ + 0.5;
  for (int row = static_cast<int>(std::floor(y - reach)); row <= static_cast<int>(std::floor(y + reach)); ++row)
    for (int column = static_cast<int>(std::floor(x - reach)); column <= static_cast<int>(std::floor(x + reach));
         ++column) {
      const double distance = std::hypot(column + 0.5 - x, row + 0.5 - y);
      const double share = std::clamp(reach - distance, 0.0, 1.0);
      if (share > 0) take_inside(column, row, share);
    }
}

void PointsPicture::add(std::span<const double> theta, std::span<const double> phi, std::span<const double> values) {
  if (phi.size() != theta.size() || (!is_density_ && values.size() != theta.size() * layers_.size()))
    throw core::InputError(
        fmt::format("{} values of theta, {} of phi and {} values in {} components: pass one for each point",
                    theta.size(), phi.size(), values.size(), is_density_ ? 0 : layers_.size()));
  // The covered fraction decreases over a rim of one pixel, which adds 1/12 to the square of the radius.
  const double dot_area = radius_ == 0 ? 1 : core::kPi * (radius_ * radius_ + 1.0 / 12);
  const std::size_t count = theta.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = view_.to_plane(direction_of(theta[i], phi[i]));
    if (!place) continue;
    // Density of a single point: points per square degree of its dot.
    const double density = is_density_ ? frame_.scale * frame_.scale * 4 * core::kPi /
                                             (dot_area * view_.solid_angle(*place) * kSquareDegrees)
                                       : 0;
    for (std::size_t p = 0; p < layers_.size(); ++p) {
      const double value = is_density_ ? density : values[p * count + i];
      if (!is_drawn(value, panels_[p].range.scale)) continue;
      Layer& layer = layers_[p];
      cover(frame_.to_image(*place), [&](std::size_t pixel, double share) {
        layer.sums[pixel] += share * value;
        layer.covered[pixel] += share;
      });
    }
  }
}

std::vector<double> PointsPicture::shown(std::size_t layer) const {
  const auto& [sums, covered] = layers_[layer];
  std::vector<double> values(sums.size(), kNothing);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    // The density is the sum over overlapping dots. At the rim of a dot, only the opacity decreases.
    const double weight = is_density_ ? std::min(covered[i], 1.0) : covered[i];
    if (weight > 0) values[i] = sums[i] / weight;
  }
  return values;
}

Raster PointsPicture::paint(std::size_t layer, const ColorRange& range, const ColorMap& colors) const {
  const std::vector<double> values = shown(layer);
  Raster raster{box_.width, box_.height, {}};
  raster.pixels.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double opacity = std::min(layers_[layer].covered[i], 1.0);
    const Rgb color = opacity > 0 ? colors(range.share(values[i])) : kEmpty;
    const auto mix = [&](int of_value, int of_empty) {
      return static_cast<std::uint8_t>(std::lround(opacity * of_value + (1 - opacity) * of_empty));
    };
    raster.pixels.push_back({mix(color.red, kEmpty.red), mix(color.green, kEmpty.green), mix(color.blue, kEmpty.blue)});
  }
  return raster;
}

std::string PointsPicture::finish() const {
  std::vector<SpherePanel> spheres;
  for (std::size_t p = 0; p < panels_.size(); ++p) {
    const ColorRange range = choose_range(survey(shown(p), panels_[p].range.scale), panels_[p].range);
    const auto paint_layer = [this, p, range](const SphereFrame&, const PixelBox& box, const ColorMap& colors) {
      if (box.width != box_.width || box.height != box_.height)
        throw core::InternalError("the panels of a point picture differ in size");
      return paint(p, range, colors);
    };
    spheres.push_back({.title = panels_[p].title, .unit = panels_[p].unit, .range = range, .paint = paint_layer});
  }
  return draw_spheres(spheres, style_);
}

}  // namespace armilla::draw
