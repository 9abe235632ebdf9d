#include <armilla/core/error.hpp>
#include <armilla/draw/canvas.hpp>
#include <armilla/draw/color_bar.hpp>
#include <armilla/draw/spectra_picture.hpp>
#include <armilla/draw/text.hpp>
#include <armilla/draw/ticks.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace armilla::draw {
namespace {

using core::Index;

constexpr int kSmallestWidth = 300, kSmallestHeight = 200;
constexpr double kDeepest = 1e-12;

// Colours that are dark enough on white, and colour-blind-safe.
constexpr Rgb kCurveColors[] = {{28, 78, 158},  {206, 84, 32}, {20, 140, 116}, {132, 70, 158},
                                {196, 146, 16}, {90, 90, 90},  {60, 160, 214}, {176, 36, 84}};

struct Interval {
  double low, high;
};

/// The plot area and the axes.
struct Axes {
  double left, top, right, bottom;  ///< [pixels]
  Interval l, value;
  AxisScale l_scale;

  double x(double multipole) const {
    const bool log = l_scale == AxisScale::kLog;
    const double share =
        log ? std::log(multipole / l.low) / std::log(l.high / l.low) : (multipole - l.low) / (l.high - l.low);
    return left + share * (right - left);
  }
  double y(double magnitude) const {
    return bottom - std::log(magnitude / value.low) / std::log(value.high / value.low) * (bottom - top);
  }
};

Path frame_of(const Axes& axes) {
  return {{axes.left, axes.top},
          {axes.right, axes.top},
          {axes.right, axes.bottom},
          {axes.left, axes.bottom},
          {axes.left, axes.top}};
}

double shown_value(std::span<const double> values, Index l, SpectrumQuantity quantity) {
  const double value = values[static_cast<std::size_t>(l)];
  const double multipole = static_cast<double>(l);
  return quantity == SpectrumQuantity::kBandPower ? value * multipole * (multipole + 1) / (2 * core::kPi) : value;
}

Index lmax_of(const SpectrumCurve& curve) { return static_cast<Index>(curve.values.size()) - 1; }

/// Range of the magnitudes of one curve; high = 0 if it has no value to draw. Spectra that change sign pass through
/// arbitrarily small values. For them the low end is that of their envelope, the largest neighbour within l/10.
Interval magnitudes(const SpectrumCurve& curve, const SpectraStyle& style) {
  const Index lmax = lmax_of(curve);
  std::vector<double> values(curve.values.size(), 0);
  bool positive = false, negative = false;
  for (Index l = style.lmin; l <= lmax; ++l) {
    const double value = shown_value(curve.values, l, style.quantity);
    if (!std::isfinite(value)) continue;
    positive = positive || value > 0;
    negative = negative || value < 0;
    values[static_cast<std::size_t>(l)] = std::abs(value);
  }
  Interval result{std::numeric_limits<double>::max(), 0};
  for (Index l = style.lmin; l <= lmax; ++l) {
    const Index reach = positive && negative ? std::max<Index>(2, l / 10) : 0;
    const auto first = values.begin() + std::max(style.lmin, l - reach),
               last = values.begin() + std::min(lmax, l + reach);
    const double largest = *std::max_element(first, last + 1);
    if (largest > 0) result.low = std::min(result.low, largest);
    result.high = std::max(result.high, largest);
  }
  return result;
}

/// The multipole of SpectraStyle::kWherePowerBegins; 1 if there is no power.
Index first_multipole(std::span<const SpectrumCurve> curves, SpectraStyle style) {
  style.lmin = 1;
  double high = 0;
  for (const SpectrumCurve& curve : curves) high = std::max(high, magnitudes(curve, style).high);
  for (Index l = 1; high > 0; ++l)
    for (const SpectrumCurve& curve : curves)
      if (l <= lmax_of(curve) && std::abs(shown_value(curve.values, l, style.quantity)) > kDeepest * high) return l;
  return 1;
}

/// Range of the axis required by the band of a curve. It includes the upper end, and the lower end if that is more than
/// 0.1 times the curve. Without a band, returns the value of magnitudes() for an empty curve.
Interval band_ends(const SpectrumCurve& curve, const SpectraStyle& style) {
  constexpr double kDecade = 0.1;
  Interval ends{std::numeric_limits<double>::max(), 0};
  if (curve.deviation.empty()) return ends;
  for (Index l = style.lmin; l <= lmax_of(curve); ++l) {
    const double middle = std::abs(shown_value(curve.values, l, style.quantity));
    const double half = shown_value(curve.deviation, l, style.quantity);
    if (!std::isfinite(middle + half)) continue;
    ends.high = std::max(ends.high, middle + half);
    if (middle - half > kDecade * middle) ends.low = std::min(ends.low, middle - half);
  }
  return ends;
}

/// Range of the value axis, with a margin. Curves that consist of rounding errors compared with the others are ignored.
Interval value_interval(std::span<const SpectrumCurve> curves, const SpectraStyle& style) {
  std::vector<Interval> all;
  double low = std::numeric_limits<double>::max(), high = 0;
  for (const SpectrumCurve& curve : curves) {
    Interval& one = all.emplace_back(magnitudes(curve, style));
    const Interval band = band_ends(curve, style);
    one = {std::min(one.low, band.low), std::max(one.high, band.high)};
    high = std::max(high, one.high);
  }
  if (high == 0) return {0.1, 10};
  for (const Interval& one : all)
    if (one.high > high * kDeepest) low = std::min(low, one.low);
  constexpr double kMargin = 1.6;
  return {std::max({low / kMargin, high * kDeepest, std::numeric_limits<double>::min()}), high * kMargin};
}

Interval l_interval(std::span<const SpectrumCurve> curves, const SpectraStyle& style) {
  Index lmax = -1;
  for (const SpectrumCurve& curve : curves) lmax = std::max(lmax, lmax_of(curve));
  if (lmax < style.lmin)
    throw core::InputError(fmt::format(
        "the spectra end at l = {}, but drawing starts at l = {}: there is nothing to draw", lmax, style.lmin));
  // A single multipole is centred.
  const double low = static_cast<double>(style.lmin), high = static_cast<double>(lmax);
  return lmax > style.lmin ? Interval{low, high} : Interval{low * 0.5, low * 1.5 + (low == 0 ? 1 : 0)};
}

/// Runs of consecutive multipoles whose values have the same sign.
struct SignedRuns {
  std::vector<Path> positive, negative;
};

SignedRuns trace(std::span<const double> values, const Axes& axes, const SpectraStyle& style) {
  SignedRuns runs;
  int previous = 0;
  for (Index l = style.lmin; l < static_cast<Index>(values.size()); ++l) {
    const double value = shown_value(values, l, style.quantity);
    const int sign = !std::isfinite(value) || value == 0 ? 0 : value > 0 ? 1 : -1;
    if (sign != 0) {
      auto& side = sign > 0 ? runs.positive : runs.negative;
      if (sign != previous) side.emplace_back();
      side.back().push_back({axes.x(static_cast<double>(l)), axes.y(std::abs(value))});
    }
    previous = sign;
  }
  return runs;
}

std::vector<double> negative_dashes(double line) { return {4.5 * line, 3 * line}; }

void draw_curve(Canvas& canvas, const SignedRuns& runs, Rgb color, double line) {
  std::vector<Path> solid, dots;
  for (const Path& run : runs.positive) (run.size() > 1 ? solid : dots).push_back(run);
  canvas.stroke(runs.negative, {color, 0.6 * line, 0.9, negative_dashes(line)});
  canvas.stroke(solid, {color, line});
  canvas.stroke(dots, {color, 1.8 * line});
}

/// Draws the band of a curve, with straight lines between consecutive multipoles.
void draw_band(Canvas& canvas, const SpectrumCurve& curve, const Axes& axes, const SpectraStyle& style, Rgb color) {
  if (curve.deviation.empty()) return;
  Path upper, lower;
  // Fainter if it has no lower end, as for spectra that are noise about 0.
  bool faint = false;
  const auto fill = [&] {
    Path corners = upper;
    corners.insert(corners.end(), lower.rbegin(), lower.rend());
    canvas.fill(corners, color, faint ? 0.08 : 0.2);
  };
  const auto holds_zero = [&](Index l) {
    const auto i = static_cast<std::size_t>(std::min(l, lmax_of(curve)));
    return curve.deviation[i] >= std::abs(curve.values[i]);
  };
  for (Index l = style.lmin; l <= lmax_of(curve); ++l) {
    const double middle = std::abs(shown_value(curve.values, l, style.quantity));
    const double half = shown_value(curve.deviation, l, style.quantity);
    if (!std::isfinite(middle + half)) {
      fill();
      upper.clear();
      lower.clear();
      continue;
    }
    const double x = axes.x(static_cast<double>(l)), low = std::max(middle - half, axes.value.low);
    upper.push_back({x, axes.y(std::max(middle + half, low))});
    lower.push_back({x, axes.y(low)});
    if (const bool faint_after = holds_zero(l) || holds_zero(l + 1); faint_after != faint) {
      fill();
      upper = {upper.back()};
      lower = {lower.back()};
      faint = faint_after;
    }
  }
  fill();
}

void draw_samples(Canvas& canvas, const SpectrumCurve& curve, const Axes& axes, const SpectraStyle& style, Rgb color,
                  double line) {
  for (const auto& sample : curve.samples) {
    const SignedRuns runs = trace(sample, axes, style);
    canvas.stroke(runs.positive, {color, 0.35 * line, 0.6});
    canvas.stroke(runs.negative, {color, 0.35 * line, 0.25});
  }
}

Ticks l_ticks(const Axes& axes) {
  constexpr int kMax = 13;
  return axes.l_scale == AxisScale::kLog ? log_ticks(axes.l.low, axes.l.high, kMax, LogLabels::kNumbers)
                                         : linear_ticks(axes.l.low, axes.l.high, 9);
}

Ticks value_ticks(const Axes& axes) { return log_ticks(axes.value.low, axes.value.high, 12, LogLabels::kPowers); }

void draw_grid_lines(Canvas& canvas, const Axes& axes, double line) {
  std::vector<Path> lines;
  for (const Tick& tick : l_ticks(axes).ticks)
    if (!tick.label.empty()) lines.push_back({{axes.x(tick.value), axes.top}, {axes.x(tick.value), axes.bottom}});
  for (const Tick& tick : value_ticks(axes).ticks)
    if (!tick.label.empty()) lines.push_back({{axes.left, axes.y(tick.value)}, {axes.right, axes.y(tick.value)}});
  canvas.stroke(lines, {Rgb{225, 225, 225}, line});
}

void draw_axes(Canvas& canvas, const Axes& axes, double text_size, double line) {
  std::vector<Path> lines{frame_of(axes)};
  const auto length = [&](const Tick& tick) { return (tick.label.empty() ? 0.2 : 0.4) * text_size; };
  for (const Tick& tick : l_ticks(axes).ticks) {
    const double x = axes.x(tick.value);
    lines.push_back({{x, axes.bottom}, {x, axes.bottom - length(tick)}});
    lines.push_back({{x, axes.top}, {x, axes.top + length(tick)}});
    draw_text(canvas, {x, axes.bottom + 1.05 * text_size}, tick.label, {text_size, kBlack, HorizontalAlign::kCentre});
  }
  for (const Tick& tick : value_ticks(axes).ticks) {
    const double y = axes.y(tick.value);
    lines.push_back({{axes.left, y}, {axes.left + length(tick), y}});
    lines.push_back({{axes.right, y}, {axes.right - length(tick), y}});
    draw_text(canvas, {axes.left - 0.4 * text_size, y + 0.35 * text_size}, tick.label,
              {text_size, kBlack, HorizontalAlign::kRight});
  }
  canvas.stroke(lines, {kBlack, line});
}

void draw_legend(Canvas& canvas, std::span<const std::string> names, Point place, double text_size, double line,
                 bool any_negative) {
  const double sample = 1.8 * text_size, gap = 0.3 * text_size, middle = place.y - 0.35 * text_size;
  const auto add = [&](const std::string& name, const Pen& pen) {
    canvas.stroke(Path{{place.x, middle}, {place.x + sample, middle}}, pen);
    draw_text(canvas, {place.x + sample + gap, place.y}, name, {text_size});
    place.x += sample + gap + text_width(canvas, name, text_size) + text_size;
  };
  for (std::size_t i = 0; i < names.size(); ++i) add(names[i], {kCurveColors[i % std::size(kCurveColors)], 1.3 * line});
  if (any_negative) add("negative", {Rgb{90, 90, 90}, 0.6 * line, 1, negative_dashes(line)});
}

/// Text for the legend if a curve is not visible.
const char* absence(const Interval& curve, const Axes& axes) {
  if (curve.high == 0) return " (zero)";
  return curve.high < axes.value.low ? " (below)" : "";
}

std::string value_label(const SpectraStyle& style) {
  std::string label =
      style.quantity == SpectrumQuantity::kBandPower ? "\u2113(\u2113+1) C_{\u2113} / 2\u03c0" : "C_{\u2113}";
  if (!style.unit.empty()) label += "  [" + pretty_unit(style.unit) + "]";
  return label;
}

void check(std::span<const SpectrumCurve> curves, const SpectraStyle& style) {
  if (curves.empty()) throw core::InputError("no spectrum is selected: select at least one");
  if (style.width < kSmallestWidth || style.height < kSmallestHeight)
    throw core::InputError(fmt::format("a picture of {} x {} pixels is too small for spectra: use at least {} x {}",
                                       style.width, style.height, kSmallestWidth, kSmallestHeight));
  for (const SpectrumCurve& curve : curves) {
    const auto fits = [&](const std::vector<double>& other) { return other.size() == curve.values.size(); };
    if ((!curve.deviation.empty() && !fits(curve.deviation)) || !std::ranges::all_of(curve.samples, fits))
      throw core::InputError(fmt::format("spectrum {}: its band and samples must have its {} multipoles", curve.name,
                                         curve.values.size()));
  }
  const Index least = style.l_axis == AxisScale::kLog ? 1 : 0;
  if (style.lmin < least)
    throw core::InputError(fmt::format("lmin = {} cannot be drawn on this axis: use at least {}", style.lmin, least));
}

}  // namespace

std::string draw_spectra(std::span<const SpectrumCurve> curves, SpectraStyle style) {
  if (style.lmin == SpectraStyle::kWherePowerBegins) style.lmin = first_multipole(curves, style);
  check(curves, style);
  const auto picture = make_canvas(style.format, style.width, style.height);
  Canvas& canvas = *picture;
  const double text_size = std::max(kMinTextSize, 0.02 * std::min(style.width, 2 * style.height)),
               line = std::max(1.2, text_size / 14);
  const double title_height = style.title.empty() ? 0 : 1.8 * text_size;
  // Axes have integer widths and positions in pixels, so that their edges are sharp.
  const double axis_line = std::max(1.0, std::round(0.7 * line)), shift = std::fmod(axis_line, 2) / 2;
  const Axes axes{std::round(5.6 * text_size) + shift,
                  std::round(0.8 * text_size + title_height + 1.6 * text_size) + shift,
                  std::round(style.width - 1.6 * text_size) + shift,
                  std::round(style.height - 3.4 * text_size) + shift,
                  l_interval(curves, style),
                  value_interval(curves, style),
                  style.l_axis};
  draw_grid_lines(canvas, axes, 0.5 * line);
  // Curves are clipped to the plot area.
  const Path frame = frame_of(axes);
  canvas.clip({&frame, 1});
  bool any_negative = false;
  std::vector<std::string> names(curves.size());
  const auto color = [](std::size_t i) { return kCurveColors[i % std::size(kCurveColors)]; };
  for (std::size_t i = curves.size(); i-- > 0;) draw_band(canvas, curves[i], axes, style, color(i));
  for (std::size_t i = curves.size(); i-- > 0;) draw_samples(canvas, curves[i], axes, style, color(i), line);
  // The first curve is drawn last, on top.
  for (std::size_t i = curves.size(); i-- > 0;) {
    const SignedRuns runs = trace(curves[i].values, axes, style);
    any_negative = any_negative || !runs.negative.empty();
    draw_curve(canvas, runs, color(i), line);
    names[i] = curves[i].name + absence(magnitudes(curves[i], style), axes);
  }
  canvas.unclip();
  draw_axes(canvas, axes, text_size, axis_line);

  const Point middle{(axes.left + axes.right) / 2, (axes.top + axes.bottom) / 2};
  draw_text(canvas, {middle.x, style.height - 0.9 * text_size}, "Multipole \u2113",
            {1.1 * text_size, kBlack, HorizontalAlign::kCentre});
  draw_text(canvas, {1.35 * text_size, middle.y}, value_label(style),
            {1.1 * text_size, kBlack, HorizontalAlign::kCentre, 90});
  // A title that is too long for the picture gets a smaller font.
  const double title_room = 2 * (style.width - middle.x) - text_size;
  const double title_share = text_width(canvas, style.title, 1.1 * text_size) / title_room;
  draw_text(canvas, {middle.x, 1.7 * text_size}, style.title,
            {1.1 * text_size / std::max(1.0, title_share), kBlack, HorizontalAlign::kCentre});
  draw_legend(canvas, names, {axes.left, axes.top - 0.6 * text_size}, text_size, line, any_negative);
  return canvas.finish();
}

}  // namespace armilla::draw
