#include <armilla/core/types.hpp>
#include <armilla/draw/font.hpp>
#include <armilla/draw/text.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace armilla::draw {
namespace {

constexpr double kScriptScale = 0.68;
constexpr double kSuperscriptRise = 6.5;
constexpr double kSubscriptDrop = 3.0;

/// Strokes of a line of text in units of the font, y upwards, and its width.
struct Layout {
  std::vector<Path> strokes;
  double width = 0;
};

/// Takes one character off the front of UTF-8 text; a malformed byte counts as one unknown character.
char32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  if (first < 0x80) return first;
  const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  if (more == 0 || text.size() < more) return 0xfffd;
  char32_t character = first & (0x3fU >> more);
  for (std::size_t i = 0; i < more; ++i) {
    const auto next = static_cast<unsigned char>(text.front());
    if ((next & 0xc0U) != 0x80U) return 0xfffd;
    character = (character << 6) | (next & 0x3fU);
    text.remove_prefix(1);
  }
  return character;
}

/// The raised or lowered part at the front of `text`, after its sign ^ or _, taken off; empty where the sign stands
/// for itself.
std::string_view take_script(std::string_view& text, char sign) {
  std::size_t begin = 0, end = 0, after = 0;
  if (text.starts_with('{')) {
    const std::size_t brace = text.find('}');
    if (brace == std::string_view::npos) return {};
    begin = 1;
    end = brace;
    after = brace + 1;
  } else if (sign == '^') {
    if (text.starts_with('-')) end = 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (end == 0 || text.substr(0, end) == "-") return {};
    after = end;
  }
  const std::string_view script = text.substr(begin, end - begin);
  text.remove_prefix(after);
  return script;
}

void place_glyph(Layout& layout, char32_t character, double scale, double rise) {
  const Glyph& shape = glyph(character);
  const double left = layout.width + kGlyphSpacing / 2 * scale;
  for (const Path& path : shape.strokes) {
    Path placed;
    placed.reserve(path.size());
    for (const Point& point : path) placed.push_back({left + point.x * scale, rise + point.y * scale});
    layout.strokes.push_back(std::move(placed));
  }
  layout.width += (shape.width + kGlyphSpacing) * scale;
}

Layout lay_out(std::string_view text) {
  Layout layout;
  while (!text.empty()) {
    const char32_t character = take_character(text);
    if (character == U'^' || character == U'_') {
      const bool raised = character == U'^';
      std::string_view script = take_script(text, raised ? '^' : '_');
      if (!script.empty()) {
        while (!script.empty()) {
          const char32_t part = take_character(script);
          // A hyphen before a digit of an exponent is a minus sign.
          place_glyph(layout, raised && part == U'-' ? U'\u2212' : part, kScriptScale,
                      raised ? kSuperscriptRise : -kSubscriptDrop);
        }
        continue;
      }
    }
    place_glyph(layout, character, 1, 0);
  }
  return layout;
}

}  // namespace

void draw_text(Image& image, Point anchor, std::string_view text, const TextStyle& style) {
  Layout layout = lay_out(text);
  const double shift = style.align == HorizontalAlign::kLeft     ? 0
                       : style.align == HorizontalAlign::kCentre ? layout.width / 2
                                                                 : layout.width;
  const double scale = style.size / kFontUnitsPerLine;
  const double angle = style.angle_deg * core::kPi / 180;
  const double cosine = std::cos(angle) * scale, sine = std::sin(angle) * scale;
  for (Path& path : layout.strokes)
    for (Point& point : path) {
      const double x = point.x - shift, y = point.y;
      point = {anchor.x + x * cosine - y * sine, anchor.y - x * sine - y * cosine};
    }
  constexpr double kThinnestLegible = 1.1;
  stroke(image, layout.strokes, {style.color, std::max(kThinnestLegible, kStrokeWidth * scale), 1});
}

double text_width(std::string_view text, double size) { return lay_out(text).width * size / kFontUnitsPerLine; }

}  // namespace armilla::draw
