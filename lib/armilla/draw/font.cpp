#include <armilla/core/types.hpp>
#include <armilla/draw/font.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <sstream>

namespace armilla::draw {
namespace {

/// A character as its outline is written down: M x y moves, L x y ... draws lines, C x1 y1 x2 y2 x y a cubic Bezier
/// curve, A cx cy rx ry from to an arc of an ellipse between two angles [degree, counterclockwise], joined by a line to
/// what stands before it; O cx cy rx ry is a whole ellipse, D x y a dot.
struct GlyphText {
  char32_t character;
  double width;
  const char* strokes;
};

constexpr GlyphText kGlyphs[] = {
    {U' ', 4, ""},
    {U'!', 0, "M 0 14 L 0 4.6 D 0 0.4"},
    {U'"', 3.4, "M 0 14.5 L 0 10.5 M 3.4 14.5 L 3.4 10.5"},
    {U'#', 11.4, "M 3 0 L 5 14 M 7 0 L 9 14 M 0.6 4.5 L 10.6 4.5 M 1.2 9.5 L 11.2 9.5"},
    {U'$', 9, "M 8.3 12.2 A 4.5 10.5 4 3.5 30 270 A 4.5 3.5 4.5 3.5 90 -150 M 4.5 -2 L 4.5 16"},
    {U'%', 13, "O 2.8 11 2.8 3 O 10.2 3 2.8 3 M 10.5 14 L 2.5 0"},
    {U'&', 11, "M 11 0 L 2.4 9.5 A 4.7 11.3 2.9 2.7 210 -45 L 1.6 6.6 A 4.2 3.7 4.2 3.7 130 345 L 10.4 6.4"},
    {U'\'', 0, "M 0 14.5 L 0 10.5"},
    {U'(', 3.2, "A 8.5 5.75 8.5 12 130 230"},
    {U')', 3.2, "A -5.3 5.75 8.5 12 50 -50"},
    {U'*', 7, "M 3.5 14 L 3.5 6 M 0 12 L 7 8 M 7 12 L 0 8"},
    {U'+', 9, "M 0 6 L 9 6 M 4.5 1.5 L 4.5 10.5"},
    {U',', 1, "M 0.6 0.5 L -0.4 -2.6"},
    {U'-', 5, "M 0 5.2 L 5 5.2"},
    {U'.', 0, "D 0 0.3"},
    {U'/', 6.5, "M 0 -2 L 6.5 15"},
    {U'0', 9, "O 4.5 7 4.5 7"},
    {U'1', 9, "M 1.6 11.2 L 5.2 14 5.2 0"},
    {U'2', 9, "A 4.5 9.9 4.2 4.1 165 -38 L 0.2 0 9 0"},
    {U'3', 9, "A 4.3 10.6 3.7 3.4 155 -90 A 4.3 3.6 4.4 3.6 90 -152"},
    {U'4', 9, "M 6.8 0 L 6.8 14 0 4.2 9.2 4.2"},
    {U'5', 9, "M 8.2 14 L 1.7 14 1.1 7.6 A 4.4 4.6 4.5 4.6 132 -150"},
    {U'6', 9, "O 4.5 4.5 4.4 4.5 A 8 4.5 7.9 9.5 180 95"},
    {U'7', 9, "M 0.3 14 L 8.8 14 3 0"},
    {U'8', 9, "O 4.5 10.6 3.7 3.4 O 4.5 3.6 4.4 3.6"},
    {U'9', 9, "O 4.5 9.5 4.4 4.5 A 1 9.5 7.9 9.5 0 -85"},
    {U':', 0, "D 0 0.4 D 0 8.2"},
    {U';', 1, "M 0.6 0.5 L -0.4 -2.6 D 0.5 8.2"},
    {U'<', 9, "M 9 11 L 0 6 9 1"},
    {U'=', 9, "M 0 4 L 9 4 M 0 8 L 9 8"},
    {U'>', 9, "M 0 11 L 9 6 0 1"},
    {U'?', 7.4, "A 3.7 10.3 3.7 3.7 165 -45 L 3.7 5.6 3.7 4.4 D 3.7 0.4"},
    {U'@', 14, "O 6.8 5.6 3 3.4 M 9.8 9 L 9.8 4 A 11.6 4 1.8 1.8 180 355 L 13.4 6 A 6.7 6 6.7 8 0 300"},
    {U'A', 11, "M 0 0 L 5.5 14 11 0 M 1.9 4.8 L 9.1 4.8"},
    {U'B', 9.2, "M 0 0 L 0 14 5.3 14 A 5.3 10.7 3.3 3.3 90 -90 L 0 7.4 M 5.3 7.4 A 5.5 3.7 3.7 3.7 90 -90 L 0 0"},
    {U'C', 10.6, "A 6.5 7 6.5 7 50 310"},
    {U'D', 10.5, "M 0 0 L 0 14 4 14 A 4 7 6.5 7 90 -90 L 0 0"},
    {U'E', 8, "M 8 14 L 0 14 0 0 8 0 M 0 7.3 L 7 7.3"},
    {U'F', 7.6, "M 7.6 14 L 0 14 0 0 M 0 7.2 L 6.6 7.2"},
    {U'G', 11, "A 6.5 7 6.5 7 48 312 L 11 2.4 11 6.5 7 6.5"},
    {U'H', 10, "M 0 0 L 0 14 M 10 0 L 10 14 M 0 7.3 L 10 7.3"},
    {U'I', 0, "M 0 0 L 0 14"},
    {U'J', 6, "M 6 14 L 6 3.8 A 2.8 3.8 3.2 3.8 0 -155"},
    {U'K', 9.4, "M 0 0 L 0 14 M 9 14 L 0 5 M 3.3 8.3 L 9.4 0"},
    {U'L', 7.5, "M 0 14 L 0 0 7.5 0"},
    {U'M', 12, "M 0 0 L 0 14 6 4 12 14 12 0"},
    {U'N', 10, "M 0 0 L 0 14 10 0 10 14"},
    {U'O', 13, "O 6.5 7 6.5 7"},
    {U'P', 8.8, "M 0 0 L 0 14 5 14 A 5 10.2 3.8 3.8 90 -90 L 0 6.4"},
    {U'Q', 13, "O 6.5 7 6.5 7 M 8 4 L 12.5 -1"},
    {U'R', 9.3, "M 0 0 L 0 14 5 14 A 5 10.3 3.7 3.7 90 -90 L 0 6.6 M 5 6.6 L 9.3 0"},
    {U'S', 9, "A 4.5 10.5 4 3.5 35 270 A 4.5 3.5 4.5 3.5 90 -150"},
    {U'T', 10, "M 0 14 L 10 14 M 5 14 L 5 0"},
    {U'U', 10, "M 0 14 L 0 5 A 5 5 5 5 180 360 L 10 14"},
    {U'V', 11, "M 0 14 L 5.5 0 11 14"},
    {U'W', 16, "M 0 14 L 4 0 8 13 12 0 16 14"},
    {U'X', 10, "M 0 14 L 10 0 M 0 0 L 10 14"},
    {U'Y', 10, "M 0 14 L 5 7 10 14 M 5 7 L 5 0"},
    {U'Z', 9.5, "M 0 14 L 9.5 14 0 0 9.5 0"},
    {U'[', 3, "M 3 15 L 0 15 0 -3.5 3 -3.5"},
    {U'\\', 6.5, "M 0 15 L 6.5 -2"},
    {U']', 3, "M 0 15 L 3 15 3 -3.5 0 -3.5"},
    {U'^', 8, "M 0 9 L 4 14 8 9"},
    {U'_', 9, "M 0 -2.5 L 9 -2.5"},
    {U'`', 2, "M 0 14.5 L 2 12"},
    {U'a', 8.4, "O 4.2 5 4.2 5 M 8.4 10 L 8.4 0"},
    {U'b', 8.4, "M 0 14.5 L 0 0 O 4.2 5 4.2 5"},
    {U'c', 7.6, "A 4.4 5 4.4 5 45 315"},
    {U'd', 8.4, "O 4.2 5 4.2 5 M 8.4 14.5 L 8.4 0"},
    {U'e', 8.6, "M 0.1 5.2 L 8.5 5.2 A 4.3 5 4.3 5 2 318"},
    {U'f', 5.4, "A 4.6 11.4 2.7 3.1 70 180 L 1.9 0 M 0 9.5 L 5 9.5"},
    {U'g', 8.4, "O 4.2 5 4.2 5 M 8.4 10 L 8.4 -0.3 A 4.3 -0.3 4.1 3.9 0 -145"},
    {U'h', 8, "M 0 14.5 L 0 0 M 0 6 A 4 6 4 4 180 0 L 8 0"},
    {U'i', 0, "M 0 10 L 0 0 D 0 13.7"},
    {U'j', 2, "M 2 10 L 2 -1.5 A -0.6 -1.5 2.6 2.6 0 -80 D 2 13.7"},
    {U'k', 7.5, "M 0 14.5 L 0 0 M 7 10 L 0 3.6 M 2.7 6 L 7.5 0"},
    {U'l', 0, "M 0 14.5 L 0 0"},
    {U'm', 13, "M 0 10 L 0 0 M 0 6.6 A 3.25 6.6 3.25 3.4 180 0 L 6.5 0 M 6.5 6.6 A 9.75 6.6 3.25 3.4 180 0 L 13 0"},
    {U'n', 8, "M 0 10 L 0 0 M 0 6 A 4 6 4 4 180 0 L 8 0"},
    {U'o', 8.8, "O 4.4 5 4.4 5"},
    {U'p', 8.4, "M 0 10 L 0 -4.2 O 4.2 5 4.2 5"},
    {U'q', 8.4, "O 4.2 5 4.2 5 M 8.4 10 L 8.4 -4.2"},
    {U'r', 5, "M 0 10 L 0 0 M 0 5.6 A 4.2 5.6 4.2 4.3 180 72"},
    {U's', 6.8, "A 3.4 7.5 2.9 2.5 30 270 A 3.4 2.5 3.4 2.5 90 -150"},
    {U't', 5, "M 1.9 13.2 L 1.9 2.6 A 4.4 2.6 2.5 2.6 180 285 M 0 9.5 L 4.8 9.5"},
    {U'u', 8, "M 0 10 L 0 4 A 4 4 4 4 180 360 M 8 10 L 8 0"},
    {U'v', 8.4, "M 0 10 L 4.2 0 8.4 10"},
    {U'w', 12, "M 0 10 L 3 0 6 9.5 9 0 12 10"},
    {U'x', 8, "M 0 10 L 8 0 M 0 0 L 8 10"},
    {U'y', 8.4, "M 0 10 L 4.2 0 M 8.4 10 L 2.44 -4.2"},
    {U'z', 7.4, "M 0 10 L 7.4 10 0 0 7.4 0"},
    {U'{', 4, "A 4 12.5 2 2.5 90 180 L 2 8 A 0 8 2 2.2 0 -90 A 0 3.6 2 2.2 90 0 L 2 -1 A 4 -1 2 2.5 180 270"},
    {U'|', 0, "M 0 15 L 0 -3.5"},
    {U'}', 4, "A 0 12.5 2 2.5 90 0 L 2 8 A 4 8 2 2.2 180 270 A 4 3.6 2 2.2 90 180 L 2 -1 A 0 -1 2 2.5 0 -90"},
    {U'~', 10, "A 2.5 5 2.5 2 180 0 A 7.5 5 2.5 2 180 360"},
    {U'\u00b0', 4.4, "O 2.2 12 2.2 2.2"},
    {U'\u00b5', 8, "M 0 10 L 0 -4.2 M 0 4 A 4 4 4 4 180 360 M 8 10 L 8 0"},
    {U'\u00d7', 7.6, "M 0 2 L 7.6 9.6 M 0 9.6 L 7.6 2"},
    {U'\u03c0', 10, "M 0 10 L 10 10 M 3 10 L 2.2 0 M 7.4 10 L 7.4 2 A 9 2 1.6 2 180 280"},
    {U'\u2113', 7, "M 0 3.2 C 4 6 6.8 9.5 6.4 12.4 C 6 15.6 3.2 14.6 2.4 9.5 C 1.6 4 1.8 0 4 0 C 5.2 0 6.2 1.2 7 2.6"},
    {U'\u2212', 8.4, "M 0 6 L 8.4 6"},
};

constexpr GlyphText kMissingGlyph = {0, 7, "M 0 0 L 7 0 7 14 0 14 0 0"};

void add_arc(Path& path, Point centre, double rx, double ry, double from_deg, double to_deg) {
  constexpr double kDegreesPerChord = 9;
  const int chords = std::max(1, static_cast<int>(std::ceil(std::abs(to_deg - from_deg) / kDegreesPerChord)));
  for (int i = 0; i <= chords; ++i) {
    const double angle = (from_deg + (to_deg - from_deg) * i / chords) * core::kPi / 180;
    path.push_back({centre.x + rx * std::cos(angle), centre.y + ry * std::sin(angle)});
  }
}

void add_bezier(Path& path, Point control1, Point control2, Point end) {
  constexpr int kChords = 10;
  const Point start = path.back();
  for (int i = 1; i <= kChords; ++i) {
    const double t = static_cast<double>(i) / kChords, u = 1 - t;
    const double w0 = u * u * u, w1 = 3 * u * u * t, w2 = 3 * u * t * t, w3 = t * t * t;
    path.push_back({w0 * start.x + w1 * control1.x + w2 * control2.x + w3 * end.x,
                    w0 * start.y + w1 * control1.y + w2 * control2.y + w3 * end.y});
  }
}

Glyph parse(const GlyphText& text) {
  Glyph result{text.width, {}};
  std::istringstream words(text.strokes);
  const auto number = [&] {
    double value = 0;
    words >> value;
    return value;
  };
  const auto point = [&] {
    const double x = number();
    return Point{x, number()};
  };
  const auto begin = [&] { return &result.strokes.emplace_back(); };
  Path* path = nullptr;
  for (char command = 0; words >> command;) {
    if (command == 'M') {
      path = begin();
      path->push_back(point());
    } else if (command == 'D') {
      constexpr double kDotRadius = 0.3;  // to the middle of the stroke: a bare dot looks lighter than a line
      add_arc(*begin(), point(), kDotRadius, kDotRadius, 0, 360);
      path = nullptr;
    } else if (command == 'L') {
      do path->push_back(point());
      while ((words >> std::ws) && !words.eof() && !std::isupper(words.peek()));
    } else if (command == 'C') {
      const Point control1 = point(), control2 = point();
      add_bezier(*path, control1, control2, point());
    } else {
      const Point centre = point(), radius = point();
      const Point angles = command == 'A' ? point() : Point{0, 360};
      if (path == nullptr || command == 'O') path = begin();
      add_arc(*path, centre, radius.x, radius.y, angles.x, angles.y);
      if (command == 'O') path = nullptr;
    }
  }
  return result;
}

std::map<char32_t, Glyph> parse_all() {
  std::map<char32_t, Glyph> glyphs;
  for (const GlyphText& text : kGlyphs) glyphs[text.character] = parse(text);
  glyphs[U'\u03bc'] = glyphs[U'\u00b5'];  // Greek mu and the micro sign look the same
  return glyphs;
}

}  // namespace

const Glyph& glyph(char32_t character) {
  static const std::map<char32_t, Glyph> glyphs = parse_all();
  static const Glyph missing = parse(kMissingGlyph);
  const auto found = glyphs.find(character);
  return found == glyphs.end() ? missing : found->second;
}

}  // namespace armilla::draw
