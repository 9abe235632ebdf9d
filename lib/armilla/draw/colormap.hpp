#pragma once

#include <armilla/draw/canvas.hpp>

#include <array>
#include <cstddef>

namespace armilla::draw {

enum class ColorMapKind {
  kSequential,  ///< dark blue, teal, green, yellow; lightness rises evenly
  kDiverging,   ///< blue, white in the middle, red; lightness falls evenly to both ends
};

/// Bad pixels of a map.
inline constexpr Rgb kBadColor{140, 140, 140};

/// Colours for numbers 0 .. 1. Both maps are lines through a few colours in Oklab (Ottosson 2020), a space where equal
/// distances look equally large, with steps of equal lightness.
class ColorMap {
 public:
  explicit ColorMap(ColorMapKind kind);
  /// Values outside 0 .. 1 take the colour of the nearer end, NaN takes kBadColor.
  Rgb operator()(double value) const;

 private:
  static constexpr std::size_t kSteps = 1024;
  std::array<Rgb, kSteps> table_;
};

}  // namespace armilla::draw
