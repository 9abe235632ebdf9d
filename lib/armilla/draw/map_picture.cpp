#include <armilla/core/error.hpp>
#include <armilla/draw/map_picture.hpp>
#include <armilla/draw/pixel_finder.hpp>

#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace armilla::draw {
namespace {

constexpr int kSamplesPerSide = 2;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Converts directions on the sphere to colours.
struct Painter {
  const SphereView& view;
  const PixelFinder& find;
  std::span<const double> values;
  const ColorMap& colors;
  ColorRange range;
};

/// Colour of one pixel of the picture: that of the mean of the good values at its samples, mixed with grey for bad
/// samples. A mean of colours would turn noise of both signs grey. Samples outside the sphere are ignored.
Rgb sample_pixel(const Painter& painter, const SphereFrame& frame, int x, int y) {
  constexpr int kSamples = kSamplesPerSide * kSamplesPerSide;
  int good = 0, bad = 0;
  double sum = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    const double sx = x + (sample % kSamplesPerSide + 0.5) / kSamplesPerSide;
    const double sy = y + (sample / kSamplesPerSide + 0.5) / kSamplesPerSide;
    const auto direction = painter.view.to_sphere(frame.to_plane(sx, sy));
    if (!direction) continue;
    const Index pixel = painter.find(*direction);
    const double value = pixel < 0 ? kNoValue : painter.values[static_cast<std::size_t>(pixel)];
    if (!is_drawn(value, painter.range.scale)) {
      ++bad;
    } else {
      ++good;
      sum += value;
    }
  }
  if (good + bad == 0) return kWhite;
  const double mean = good > 0 ? sum / good : kNoValue;
  const Rgb color = painter.colors(painter.range.share(mean));
  const int count = good + bad;
  const auto mix = [&](int of_value, int of_bad) {
    return static_cast<std::uint8_t>((good * of_value + bad * of_bad + count / 2) / count);
  };
  return {mix(color.red, kBadColor.red), mix(color.green, kBadColor.green), mix(color.blue, kBadColor.blue)};
}

Raster paint_map(const Painter& painter, const SphereFrame& frame, const PixelBox& box) {
  Raster raster{box.width, box.height, {}};
  raster.pixels.reserve(static_cast<std::size_t>(box.width) * static_cast<std::size_t>(box.height));
  for (int y = box.top; y < box.top + box.height; ++y)
    for (int x = box.left; x < box.left + box.width; ++x) raster.pixels.push_back(sample_pixel(painter, frame, x, y));
  return raster;
}

void check(const grid::RingGrid& grid, std::span<const MapPanel> panels) {
  if (panels.empty()) throw core::InputError("no component of the map is selected: select at least one");
  for (const MapPanel& panel : panels)
    if (static_cast<Index>(panel.values.size()) != grid.npix())
      throw core::InputError(fmt::format("component '{}' has {} values, but its grid ({}) has {} pixels", panel.title,
                                         panel.values.size(), grid.description().text(), grid.npix()));
}

}  // namespace

std::string draw_map(const grid::RingGrid& grid, std::span<const MapPanel> panels, const MapStyle& style) {
  check(grid, panels);
  check_style(style);
  const SphereView view = view_of(style);
  const PixelFinder find(grid);
  std::vector<SpherePanel> spheres;
  for (const MapPanel& panel : panels) {
    const ColorRange range = choose_range(survey(panel.values, panel.range.scale), panel.range);
    const auto paint = [&, range](const SphereFrame& frame, const PixelBox& box, const ColorMap& colors) {
      return paint_map({view, find, panel.values, colors, range}, frame, box);
    };
    spheres.push_back({.title = panel.title, .unit = panel.unit, .range = range, .paint = paint});
  }
  return draw_spheres(spheres, style);
}

std::string draw_map(const grid::RingGrid& grid, const MapPanel& panel, const MapStyle& style) {
  return draw_map(grid, std::span(&panel, 1), style);
}

}  // namespace armilla::draw
