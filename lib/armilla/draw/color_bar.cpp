#include <armilla/draw/color_bar.hpp>
#include <armilla/draw/text.hpp>
#include <armilla/draw/ticks.hpp>

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace armilla::draw {
namespace {

constexpr int kMaxTicks = 7;

void draw_gradient(Canvas& canvas, const ColorBarBox& box, const ColorMap& colors) {
  Raster gradient{static_cast<int>(box.width), 1, {}};
  for (int x = 0; x < gradient.width; ++x) gradient.pixels.push_back(colors((x + 0.5) / gradient.width));
  canvas.paint(gradient, {box.left, box.top}, {box.left + box.width, box.top + box.height});
}

/// Returns the outline, and fills the pointed ends.
Path draw_ends(Canvas& canvas, const ColorBarBox& box, const ColorMap& colors, const ColorRange& range) {
  const double right = box.left + box.width, bottom = box.top + box.height, middle = box.top + box.height / 2;
  const double reach = 0.9 * box.height;
  Path outline{{box.left, box.top}, {right, box.top}};
  if (range.cut_above) {
    outline.push_back({right + reach, middle});
    canvas.fill({{right, box.top}, outline.back(), {right, bottom}}, colors(1), 1);
  }
  outline.push_back({right, bottom});
  outline.push_back({box.left, bottom});
  if (range.cut_below) {
    outline.push_back({box.left - reach, middle});
    canvas.fill({{box.left, bottom}, outline.back(), {box.left, box.top}}, colors(0), 1);
  }
  outline.push_back({box.left, box.top});
  return outline;
}

/// Whether the labels do not touch each other.
bool are_apart(Canvas& canvas, const ColorBarBox& box, const ColorRange& range, const Ticks& ticks) {
  double end = -std::numeric_limits<double>::infinity();
  for (const Tick& tick : ticks.ticks) {
    if (tick.label.empty()) continue;
    const double x = range.share(tick.value) * box.width;
    const double half = text_width(canvas, tick.label, box.text_size) / 2;
    if (x - half < end + 0.5 * box.text_size) return false;
    end = x + half;
  }
  return true;
}

/// The largest number of ticks whose labels do not touch.
Ticks ticks_of(Canvas& canvas, const ColorBarBox& box, const ColorRange& range) {
  for (int most = kMaxTicks;; --most) {
    Ticks ticks = range.scale == ColorScale::kLogarithmic ? log_ticks(range.low, range.high, most, LogLabels::kPowers)
                                                          : linear_ticks(range.low, range.high, most);
    if (most == 2 || are_apart(canvas, box, range, ticks)) return ticks;
  }
}

}  // namespace

void draw_color_bar(Canvas& canvas, const ColorBarBox& box, const ColorMap& colors, const ColorRange& range,
                    const std::string& unit) {
  draw_gradient(canvas, box, colors);
  const double line = std::max(1.0, box.text_size / 20);
  canvas.stroke(draw_ends(canvas, box, colors, range), {kBlack, line});

  const Ticks ticks = ticks_of(canvas, box, range);
  const double bottom = box.top + box.height, tick_length = 0.25 * box.text_size;
  for (const Tick& tick : ticks.ticks) {
    const double x = box.left + range.share(tick.value) * box.width;
    const double length = tick.label.empty() ? 0.5 * tick_length : tick_length;
    canvas.stroke(Path{{x, bottom}, {x, bottom + length}}, {kBlack, line});
    draw_text(canvas, {x, bottom + tick_length + 0.95 * box.text_size}, tick.label,
              {box.text_size, kBlack, HorizontalAlign::kCentre});
  }
  std::string text = ticks.exponent != 0 ? fmt::format("\u00d710^{{{}}}", ticks.exponent) : "";
  if (!text.empty() && !unit.empty()) text += ' ';
  text += pretty_unit(unit);
  draw_text(canvas, {box.left + box.width + 1.5 * box.height, box.top + box.height / 2 + 0.35 * box.text_size}, text,
            {box.text_size});
}

std::string pretty_unit(const std::string& unit) {
  std::string result = unit;
  for (const char* micro : {"muK", "uK"})
    if (result.starts_with(micro)) {
      result.replace(0, std::string(micro).size(), "\u00b5K");
      break;
    }
  if (const std::size_t mark = result.find("_CMB"); mark != std::string::npos) result.replace(mark, 4, "_{CMB}");
  return result;
}

}  // namespace armilla::draw
