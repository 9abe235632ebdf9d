#include <armilla/core/types.hpp>
#include <armilla/draw/text.hpp>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace armilla::draw {
namespace {

constexpr double kScriptScale = 0.68;
constexpr double kSuperscriptRise = 0.325;  // [em]
constexpr double kSubscriptDrop = 0.15;

/// Text of one size and vertical position.
struct Run {
  std::string text;
  double scale = 1;
  double rise = 0;  ///< above the baseline [em]
};

/// Removes and returns the first character of UTF-8 text. Returns U+FFFD for a malformed byte, and for characters that
/// no font has a glyph for.
std::string take_character(std::string_view& text) {
  const std::string malformed = "\ufffd";
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
  std::uint32_t code = length == 1 ? first : first & (0x7fU >> length);
  bool good = length > 0 && text.size() >= length;
  for (std::size_t i = 1; good && i < length; ++i) {
    good = (byte(i) & 0xc0U) == 0x80U;
    code = code << 6 | (byte(i) & 0x3fU);
  }
  if (!good) {
    text.remove_prefix(1);
    return malformed;
  }
  constexpr std::uint32_t kSmallest[] = {0x20, 0x80, 0x800, 0x10000};  // smallest code point for each length
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  const bool no_character = (code >= 0xfdd0 && code < 0xfdf0) || (code & 0xfffe) == 0xfffe || code == 0x7f;
  const std::string character(text.substr(0, length));
  text.remove_prefix(length);
  return code < kSmallest[length - 1] || code > 0x10ffff || surrogate || no_character ? malformed : character;
}

/// Removes and returns the superscript or subscript at the start of `text`, after its sign ^ or _. Returns an empty
/// text if the sign is an ordinary character.
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

std::vector<Run> split(std::string_view text) {
  std::vector<Run> runs(1);
  while (!text.empty()) {
    const std::string character = take_character(text);
    if (character == "^" || character == "_") {
      const bool raised = character == "^";
      std::string_view script = take_script(text, character[0]);
      if (!script.empty()) {
        runs.push_back({"", kScriptScale, raised ? kSuperscriptRise : -kSubscriptDrop});
        while (!script.empty()) {
          const std::string part = take_character(script);
          // A hyphen before a digit of an exponent is a minus sign.
          runs.back().text += raised && part == "-" ? "\u2212" : part;
        }
        runs.emplace_back();
        continue;
      }
    }
    runs.back().text += character;
  }
  return runs;
}

}  // namespace

void draw_text(Canvas& canvas, Point anchor, std::string_view text, const TextStyle& style) {
  const double width = style.align == HorizontalAlign::kLeft ? 0 : text_width(canvas, text, style.size);
  const double shift = style.align == HorizontalAlign::kCentre ? width / 2 : width;
  const double angle = style.angle_deg * core::kPi / 180;
  const Point right{std::cos(angle), -std::sin(angle)}, up{-std::sin(angle), -std::cos(angle)};
  double along = -shift;
  for (const Run& run : split(text)) {
    const double rise = run.rise * style.size;
    const Point start{anchor.x + along * right.x + rise * up.x, anchor.y + along * right.y + rise * up.y};
    if (!run.text.empty()) canvas.write(start, run.text, run.scale * style.size, style.color, style.angle_deg);
    along += canvas.width_of(run.text, run.scale * style.size);
  }
}

double text_width(Canvas& canvas, std::string_view text, double size) {
  double width = 0;
  for (const Run& run : split(text)) width += canvas.width_of(run.text, run.scale * size);
  return width;
}

}  // namespace armilla::draw
