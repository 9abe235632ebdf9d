#include <armilla/core/error.hpp>
#include <armilla/draw/color_bar.hpp>
#include <armilla/draw/sphere_picture.hpp>
#include <armilla/draw/text.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace armilla::draw {
namespace {

constexpr int kMinMapWidth = 200;

/// Sizes of all parts of the picture [pixels]; all follow from its width.
struct Layout {
  double width, margin, text_size, title_size;
  double title_height;  ///< of the line above all panels, 0 without a title
  double sphere_scale;  ///< pixels per unit of the plane
  double label_height;  ///< above a rectangle, whose corners leave no space for the title of a panel
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
  layout.label_height = view.outlines().front().is_rectangle ? std::round(1.2 * layout.title_size) : 0;
  layout.bar_gap = std::round(0.018 * layout.width);
  layout.bar_height = std::round(0.016 * layout.width);
  layout.panel_height = std::round(layout.label_height + 2 * layout.sphere_scale + layout.bar_gap + layout.bar_height +
                                   1.5 * layout.text_size);
  return layout;
}

/// The outline of an ellipse with half axes `rx` and `ry`, fine enough to look smooth.
Path ellipse(Point centre, double rx, double ry) {
  // Chords of about 3 pixels deviate from the curve by less than 0.01 pixel if the radius exceeds 100 pixels.
  const int count = std::max(64, static_cast<int>(2 * core::kPi * std::max(rx, ry) / 3));
  Path path;
  for (int i = 0; i <= count; ++i) {
    const double angle = 2 * core::kPi * i / count;
    path.push_back({centre.x + rx * std::cos(angle), centre.y + ry * std::sin(angle)});
  }
  return path;
}

Path rectangle(Point centre, double rx, double ry) {
  return {{centre.x - rx, centre.y - ry},
          {centre.x + rx, centre.y - ry},
          {centre.x + rx, centre.y + ry},
          {centre.x - rx, centre.y + ry},
          {centre.x - rx, centre.y - ry}};
}

/// Whether a line between two points must be broken, because it would cross the picture or the gap between two discs.
bool jumps(const SphereView& view, const PlanePoint& from, const PlanePoint& to) {
  constexpr double kLongestStep = 0.3;
  return std::hypot(to.x - from.x, to.y - from.y) > kLongestStep ||
         !view.to_sphere({(from.x + to.x) / 2, (from.y + to.y) / 2});
}

/// Draws the visible parts of a line that connects directions on the sphere.
void stroke_on_sphere(Canvas& canvas, const SphereFrame& frame, const SphereView& view,
                      std::span<const Direction> places, const Pen& pen) {
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

void draw_graticule(Canvas& canvas, const SphereFrame& frame, const SphereView& view, double spacing_deg,
                    const Pen& pen) {
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

void draw_panel(Canvas& canvas, double top, const Layout& layout, const SphereView& view, const SpherePanel& panel,
                const MapStyle& style) {
  const ColorMap colors(choose_colors(style.colors, panel.range));
  const SphereFrame frame = frame_of(style, top);
  std::vector<Path> outlines;
  for (const Outline& outline : view.outlines())
    outlines.push_back((outline.is_rectangle ? rectangle : ellipse)(frame.to_image({outline.centre_x, 0}),
                                                                    outline.half_width * frame.scale, frame.scale));
  const PixelBox box = box_of(style, frame);
  canvas.clip(outlines);
  canvas.paint(panel.paint(frame, box, colors), {double(box.left), double(box.top)},
               {double(box.left + box.width), double(box.top + box.height)});
  canvas.unclip();
  const double line = std::max(1.0, layout.width / 1400);
  if (style.graticule_deg > 0) draw_graticule(canvas, frame, view, style.graticule_deg, {kBlack, 0.7 * line, 0.45});
  canvas.stroke(outlines, {kBlack, line});
  draw_text(canvas, {layout.margin, top + 0.7 * layout.title_size}, panel.title, {layout.title_size});

  const double bar_width = std::round(0.5 * layout.width);
  draw_color_bar(canvas,
                 {std::round((layout.width - bar_width) / 2),
                  std::round(top + layout.label_height + 2 * layout.sphere_scale + layout.bar_gap), bar_width,
                  layout.bar_height, layout.text_size},
                 colors, panel.range, panel.unit);
}

}  // namespace

SphereView view_of(const MapStyle& style) {
  return {style.projection, style.orientation, style.centre_lon_deg, style.centre_lat_deg};
}

SphereFrame frame_of(const MapStyle& style, double top) {
  const Layout layout = lay_out(view_of(style), style);
  return {{layout.width / 2, top + layout.label_height + layout.sphere_scale}, layout.sphere_scale};
}

PixelBox box_of(const MapStyle& style, const SphereFrame& frame) {
  // Prevents rounding from making the boxes of panels differ by one row.
  constexpr double kMargin = 1e-6;
  const double half_width = view_of(style).half_width() * frame.scale - kMargin;
  const double half_height = frame.scale - kMargin;
  const int left = static_cast<int>(std::floor(frame.centre.x - half_width));
  const int right = static_cast<int>(std::ceil(frame.centre.x + half_width));
  const int top = static_cast<int>(std::floor(frame.centre.y - half_height));
  const int bottom = static_cast<int>(std::ceil(frame.centre.y + half_height));
  return {left, top, right - left, bottom - top};
}

void check_style(const MapStyle& style) {
  if (style.width < kMinMapWidth)
    throw core::InputError(
        fmt::format("width = {} is too small for a picture: use at least {} pixels", style.width, kMinMapWidth));
  if (!std::isfinite(style.centre_lon_deg) || !std::isfinite(style.centre_lat_deg))
    throw core::InputError(
        fmt::format("the centre of the picture, longitude {} and latitude {}, must be two finite numbers",
                    style.centre_lon_deg, style.centre_lat_deg));
  if (!(style.graticule_deg == 0 || (style.graticule_deg >= 1 && style.graticule_deg <= 180)))
    throw core::InputError(fmt::format(
        "a graticule spacing of {} degrees is outside 1 .. 180: change it, or use 0 for none", style.graticule_deg));
}

std::string draw_spheres(std::span<const SpherePanel> panels, const MapStyle& style) {
  check_style(style);
  const SphereView view = view_of(style);
  const Layout layout = lay_out(view, style);
  const double panel_gap = layout.margin;
  const double count = static_cast<double>(panels.size());
  const double height = 2 * layout.margin + layout.title_height + count * layout.panel_height + (count - 1) * panel_gap;
  const auto canvas = make_canvas(style.format, style.width, static_cast<int>(std::min(height, 1e6)));
  draw_text(*canvas, {layout.width / 2, layout.margin + 0.75 * layout.title_size}, style.title,
            {layout.title_size, kBlack, HorizontalAlign::kCentre});
  double top = layout.margin + layout.title_height;
  for (const SpherePanel& panel : panels) {
    draw_panel(*canvas, top, layout, view, panel, style);
    top += layout.panel_height + panel_gap;
  }
  return canvas->finish();
}

}  // namespace armilla::draw
