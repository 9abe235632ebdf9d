#include <armilla/core/error.hpp>
#include <armilla/draw/canvas.hpp>
#include <armilla/draw/color_bar.hpp>
#include <armilla/draw/map_picture.hpp>
#include <armilla/draw/pixel_finder.hpp>
#include <armilla/draw/text.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace armilla::draw {
namespace {

constexpr int kMinMapWidth = 200;
constexpr int kSamplesPerSide = 2;
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

/// Sizes of everything in the picture [pixels]; all follow from its width.
struct Layout {
  double width, margin, text_size, title_size;
  double title_height;  ///< of the line above all panels, 0 without a title
  double sphere_scale;  ///< pixels per unit of the plane
  double bar_gap, bar_height;
  double panel_height;
};

Layout lay_out(const SphereView& view, const MapStyle& style) {
  Layout layout{};
  layout.width = style.width;
  layout.margin = std::round(0.025 * layout.width);
  layout.text_size = std::max(kMinTextSize, 0.019 * layout.width);
  layout.title_size = std::max(kMinTextSize, 0.023 * layout.width);
  layout.title_height = style.title.empty() ? 0 : std::round(1.7 * layout.title_size);
  layout.sphere_scale = (layout.width - 2 * layout.margin) / (2 * view.half_width());
  layout.bar_gap = std::round(0.018 * layout.width);
  layout.bar_height = std::round(0.016 * layout.width);
  layout.panel_height =
      std::round(2 * layout.sphere_scale + layout.bar_gap + layout.bar_height + 1.5 * layout.text_size);
  return layout;
}

/// Where a sphere is in the picture.
struct Frame {
  Point centre;
  double scale;
  Point to_image(const PlanePoint& point) const { return {centre.x + scale * point.x, centre.y - scale * point.y}; }
  PlanePoint to_plane(double x, double y) const { return {(x - centre.x) / scale, (centre.y - y) / scale}; }
};

/// What turns places of a sphere into colours.
struct Painter {
  const SphereView& view;
  const PixelFinder& find;
  std::span<const double> values;
  ColorMap colors;
  ColorRange range;
};

/// The colour of one pixel of the picture: of the mean of the good values at its samples, mixed with grey for samples
/// that are bad. A mean of colours would turn noise of both signs grey. Samples beside the sphere do not count.
Rgb sample_pixel(const Painter& painter, const Frame& frame, int x, int y) {
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
    if (is_bad(value)) {
      ++bad;
    } else {
      ++good;
      sum += value;
    }
  }
  if (good + bad == 0) return kWhite;
  const double mean = good > 0 ? sum / good : 0;
  const Rgb color = painter.colors((mean - painter.range.low) / (painter.range.high - painter.range.low));
  const int count = good + bad;
  const auto mix = [&](int of_value, int of_bad) {
    return static_cast<std::uint8_t>((good * of_value + bad * of_bad + count / 2) / count);
  };
  return {mix(color.red, kBadColor.red), mix(color.green, kBadColor.green), mix(color.blue, kBadColor.blue)};
}

/// Paints what is inside the outlines.
void paint_sphere(Canvas& canvas, const Frame& frame, std::span<const Path> outlines, const Painter& painter) {
  const double half_width = painter.view.half_width() * frame.scale;
  const int left = static_cast<int>(std::floor(frame.centre.x - half_width));
  const int right = static_cast<int>(std::ceil(frame.centre.x + half_width));
  const int top = static_cast<int>(std::floor(frame.centre.y - frame.scale));
  const int bottom = static_cast<int>(std::ceil(frame.centre.y + frame.scale));
  Raster raster{right - left, bottom - top, {}};
  raster.pixels.reserve(static_cast<std::size_t>(raster.width) * static_cast<std::size_t>(raster.height));
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) raster.pixels.push_back(sample_pixel(painter, frame, x, y));
  canvas.clip(outlines);
  canvas.paint(raster, {double(left), double(top)}, {double(right), double(bottom)});
  canvas.unclip();
}

/// The outline of an ellipse with half axes `rx` and `ry`, fine enough to look smooth.
Path ellipse(Point centre, double rx, double ry) {
  // Chords of about 3 pixels stray from the curve by less than 0.01 pixel where the radius exceeds 100 pixels.
  const int count = std::max(64, static_cast<int>(2 * core::kPi * std::max(rx, ry) / 3));
  Path path;
  for (int i = 0; i <= count; ++i) {
    const double angle = 2 * core::kPi * i / count;
    path.push_back({centre.x + rx * std::cos(angle), centre.y + ry * std::sin(angle)});
  }
  return path;
}

/// True where a line from one place to the next must be broken: it would run across the picture, or between two discs.
bool jumps(const SphereView& view, const PlanePoint& from, const PlanePoint& to) {
  constexpr double kLongestStep = 0.3;
  return std::hypot(to.x - from.x, to.y - from.y) > kLongestStep ||
         !view.to_sphere({(from.x + to.x) / 2, (from.y + to.y) / 2});
}

/// Draws a line given by places on the sphere, those of them that are in view.
void stroke_on_sphere(Canvas& canvas, const Frame& frame, const SphereView& view, std::span<const Direction> places,
                      const Pen& pen) {
  std::vector<Path> paths(1);
  std::optional<PlanePoint> previous;
  for (const Direction& place : places) {
    const auto point = view.to_plane(place);
    const bool jump = point && previous && jumps(view, *previous, *point);
    if ((!point || jump) && !paths.back().empty()) paths.emplace_back();
    if (point) paths.back().push_back(frame.to_image(*point));
    previous = point;
  }
  canvas.stroke(paths, pen);
}

void draw_graticule(Canvas& canvas, const Frame& frame, const SphereView& view, double spacing_deg, const Pen& pen) {
  std::vector<Direction> line;
  for (int i = 0; i * spacing_deg < 360 - 1e-9; ++i) {
    line.clear();
    for (int lat = -90; lat <= 90; ++lat) line.push_back(direction(i * spacing_deg, lat));
    stroke_on_sphere(canvas, frame, view, line, pen);
  }
  for (int i = static_cast<int>(std::ceil(-90 / spacing_deg)); i * spacing_deg < 90 - 1e-9; ++i) {
    if (i * spacing_deg < -90 + 1e-9) continue;
    line.clear();
    for (int lon = 0; lon <= 360; ++lon) line.push_back(direction(lon, i * spacing_deg));
    stroke_on_sphere(canvas, frame, view, line, pen);
  }
}

ColorMapKind choose_colors(ColorChoice choice, const ColorRange& range) {
  if (choice == ColorChoice::kSequential) return ColorMapKind::kSequential;
  if (choice == ColorChoice::kDiverging || range.symmetric) return ColorMapKind::kDiverging;
  return ColorMapKind::kSequential;
}

void draw_panel(Canvas& canvas, double top, const Layout& layout, const SphereView& view, const PixelFinder& find,
                const MapPanel& panel, const MapStyle& style) {
  const ColorRange range = choose_range(survey(panel.values), panel.range);
  const ColorMap colors(choose_colors(style.colors, range));
  const Frame frame{{layout.width / 2, top + layout.sphere_scale}, layout.sphere_scale};
  std::vector<Path> outlines;
  for (const Outline& outline : view.outlines())
    outlines.push_back(ellipse(frame.to_image({outline.centre_x, 0}), outline.half_width * frame.scale, frame.scale));
  paint_sphere(canvas, frame, outlines, {view, find, panel.values, colors, range});
  const double line = std::max(1.0, layout.width / 1400);
  if (style.graticule_deg > 0) draw_graticule(canvas, frame, view, style.graticule_deg, {kBlack, 0.7 * line, 0.45});
  canvas.stroke(outlines, {kBlack, line});
  draw_text(canvas, {layout.margin, top + 0.7 * layout.title_size}, panel.title, {layout.title_size});

  const double bar_width = std::round(0.5 * layout.width);
  draw_color_bar(
      canvas,
      {std::round((layout.width - bar_width) / 2), std::round(top + 2 * layout.sphere_scale + layout.bar_gap),
       bar_width, layout.bar_height, layout.text_size},
      colors, range, panel.unit);
}

void check(const grid::RingGrid& grid, std::span<const MapPanel> panels, const MapStyle& style) {
  if (panels.empty()) throw core::InputError("no component of the map was chosen to be drawn: name at least one");
  for (const MapPanel& panel : panels)
    if (static_cast<Index>(panel.values.size()) != grid.npix())
      throw core::InputError(fmt::format("component '{}' has {} values, but its grid ({}) has {} pixels", panel.title,
                                         panel.values.size(), grid.description().text(), grid.npix()));
  if (style.width < kMinMapWidth)
    throw core::InputError(
        fmt::format("width = {} is too small for a picture: give at least {} pixels", style.width, kMinMapWidth));
  if (!std::isfinite(style.centre_lon_deg) || !std::isfinite(style.centre_lat_deg))
    throw core::InputError(fmt::format("the centre of the picture, longitude {} and latitude {}, must be two numbers",
                                       style.centre_lon_deg, style.centre_lat_deg));
  if (!(style.graticule_deg == 0 || (style.graticule_deg >= 1 && style.graticule_deg <= 180)))
    throw core::InputError(fmt::format("graticule spacing {} degree is outside 1 .. 180: change it, or give 0 for none",
                                       style.graticule_deg));
}

}  // namespace

std::string draw_map(const grid::RingGrid& grid, std::span<const MapPanel> panels, const MapStyle& style) {
  check(grid, panels, style);
  const SphereView view(style.projection, style.orientation, style.centre_lon_deg, style.centre_lat_deg);
  const PixelFinder find(grid);
  const Layout layout = lay_out(view, style);
  const double panel_gap = layout.margin;
  const double count = static_cast<double>(panels.size());
  const double height = 2 * layout.margin + layout.title_height + count * layout.panel_height + (count - 1) * panel_gap;
  const auto canvas = make_canvas(style.format, style.width, static_cast<int>(std::min(height, 1e6)));
  draw_text(*canvas, {layout.width / 2, layout.margin + 0.75 * layout.title_size}, style.title,
            {layout.title_size, kBlack, HorizontalAlign::kCentre});
  double top = layout.margin + layout.title_height;
  for (const MapPanel& panel : panels) {
    draw_panel(*canvas, top, layout, view, find, panel, style);
    top += layout.panel_height + panel_gap;
  }
  return canvas->finish();
}

std::string draw_map(const grid::RingGrid& grid, const MapPanel& panel, const MapStyle& style) {
  return draw_map(grid, std::span(&panel, 1), style);
}

}  // namespace armilla::draw
