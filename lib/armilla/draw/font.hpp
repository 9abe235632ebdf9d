#pragma once

#include <armilla/draw/canvas.hpp>

#include <vector>

namespace armilla::draw {

/// One character of the stroke font. Units: 20 to the height of a line of text; capitals are 14 high, small letters 10,
/// y grows upwards from the base line.
struct Glyph {
  double width = 0;  ///< from the leftmost to the rightmost stroke, without the space between characters
  std::vector<Path> strokes;
};

inline constexpr double kFontUnitsPerLine = 20;
inline constexpr double kGlyphSpacing = 3.0;
inline constexpr double kStrokeWidth = 1.55;

/// The glyph of a Unicode character; an empty box where the font has none.
const Glyph& glyph(char32_t character);

}  // namespace armilla::draw
