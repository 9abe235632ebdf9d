#pragma once

#include <armilla/draw/canvas.hpp>

#include <array>
#include <cstddef>

namespace armilla::draw {

enum class ColorMapKind {
  kSequential,  ///< dark blue, teal, green, yellow, with evenly increasing lightness
  kDiverging,   ///< blue, white in the middle, red, with lightness decreasing evenly to both ends
};

/// Colour of bad pixels of a map.
inline constexpr Rgb kBadColor{140, 140, 140};

/// Colours for values from 0 to 1. Both colour maps interpolate a few colours in Oklab (Ottosson 2020), a perceptually
/// uniform space, in steps of equal lightness.
class ColorMap {
 public:
  explicit ColorMap(ColorMapKind kind);
  /// Values outside 0 .. 1 get the colour of the nearer end; NaN gets kBadColor.
  Rgb operator()(double value) const;

 private:
  static constexpr std::size_t kSteps = 1024;
  std::array<Rgb, kSteps> table_;
};

}  // namespace armilla::draw
