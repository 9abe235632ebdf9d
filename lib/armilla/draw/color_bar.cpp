#include <armilla/draw/color_bar.hpp>
#include <armilla/draw/text.hpp>
#include <armilla/draw/ticks.hpp>

#include <cmath>

#include <fmt/format.h>

namespace armilla::draw {
namespace {

constexpr int kMaxTicks = 7;

void draw_gradient(Image& image, const ColorBarBox& box, const ColorMap& colors) {
  const int left = static_cast<int>(box.left), right = static_cast<int>(box.left + box.width);
  for (int x = left; x < right; ++x) {
    const Rgb color = colors((x + 0.5 - left) / (right - left));
    fill_rectangle(image, {double(x), box.top}, {x + 1.0, box.top + box.height}, color);
  }
}

/// The outline, with the pointed ends filled on the way.
Path draw_ends(Image& image, const ColorBarBox& box, const ColorMap& colors, const ColorRange& range) {
  const double right = box.left + box.width, bottom = box.top + box.height, middle = box.top + box.height / 2;
  const double reach = 0.9 * box.height;
  Path outline{{box.left, box.top}, {right, box.top}};
  if (range.cut_above) {
    const Point corners[] = {{right, box.top}, {right + reach, middle}, {right, bottom}};
    fill_convex(image, corners, colors(1));
    outline.push_back(corners[1]);
  }
  outline.push_back({right, bottom});
  outline.push_back({box.left, bottom});
  if (range.cut_below) {
    const Point corners[] = {{box.left, bottom}, {box.left - reach, middle}, {box.left, box.top}};
    fill_convex(image, corners, colors(0));
    outline.push_back(corners[1]);
  }
  outline.push_back({box.left, box.top});
  return outline;
}

}  // namespace

void draw_color_bar(Image& image, const ColorBarBox& box, const ColorMap& colors, const ColorRange& range,
                    const std::string& unit) {
  draw_gradient(image, box, colors);
  const double line = std::max(1.0, box.text_size / 20);
  stroke(image, draw_ends(image, box, colors, range), {kBlack, line});

  const Ticks ticks = linear_ticks(range.low, range.high, kMaxTicks);
  const double bottom = box.top + box.height, tick_length = 0.25 * box.text_size;
  for (const Tick& tick : ticks.ticks) {
    const double x = box.left + (tick.value - range.low) / (range.high - range.low) * box.width;
    stroke(image, Path{{x, bottom}, {x, bottom + tick_length}}, {kBlack, line});
    draw_text(image, {x, bottom + tick_length + 0.95 * box.text_size}, tick.label,
              {box.text_size, kBlack, HorizontalAlign::kCentre});
  }
  std::string text = ticks.exponent != 0 ? fmt::format("\u00d710^{{{}}}", ticks.exponent) : "";
  if (!text.empty() && !unit.empty()) text += ' ';
  text += pretty_unit(unit);
  draw_text(image, {box.left + box.width + 1.5 * box.height, box.top + box.height / 2 + 0.35 * box.text_size}, text,
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
