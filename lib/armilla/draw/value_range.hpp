#pragma once

#include <armilla/core/types.hpp>

#include <optional>
#include <span>

namespace armilla::draw {

using core::Index;

/// True for NaN, infinities and the mark of HEALPix for a missing pixel, -1.6375e30 (also after a trip through float).
bool is_bad(double value);

enum class ColorScale {
  kLinear,
  kLogarithmic,  ///< of positive values
};

/// True where a value has a colour: it is not bad and, on a logarithmic scale, positive.
bool is_drawn(double value, ColorScale scale);

/// What the values of a map span that is_drawn() takes; the others count as bad.
struct ValueStatistics {
  Index good = 0;
  Index bad = 0;
  double minimum = 0;
  double maximum = 0;
  double robust_low = 0;   ///< half a percent of the values are below
  double robust_high = 0;  ///< half a percent of the values are above
};

/// One pass over all values for counts and extremes; the percentiles of a map of more than a million pixels are those
/// of a regular sample of it. All zero where no value is good.
ValueStatistics survey(std::span<const double> values, ColorScale scale = ColorScale::kLinear);

enum class RangeRule {
  kRobust,  ///< from percentile 0.5 to 99.5: a few bright sources do not wash out the rest
  kFull,    ///< from minimum to maximum
};

enum class RangeSymmetry {
  kAutomatic,  ///< symmetric where both signs matter: the shorter side of zero is at least a fifth of the longer one
  kSymmetric,  ///< zero always in the middle
  kFree,       ///< as the values are
};

struct RangeStyle {
  RangeRule rule = RangeRule::kRobust;
  RangeSymmetry symmetry = RangeSymmetry::kAutomatic;
  /// Ends set by the user win; with a symmetric range and one end set, the other end is its mirror image.
  std::optional<double> minimum = {};
  std::optional<double> maximum = {};
  ColorScale scale = ColorScale::kLinear;  ///< a logarithmic one is never symmetric
};

/// The values that the ends of a colour bar stand for; low < high always.
struct ColorRange {
  double low = 0;
  double high = 1;
  bool symmetric = false;  ///< low = -high
  bool cut_below = false;  ///< the map has values below `low`
  bool cut_above = false;
  ColorScale scale = ColorScale::kLinear;
  /// Where between the ends, 0 and 1, the colour of a value is.
  double share(double value) const;
};

/// Throws InputError where the ends set by the user are not finite, not ascending or, on a logarithmic scale, not
/// positive. A constant map gets a range around
/// its value.
ColorRange choose_range(const ValueStatistics& statistics, const RangeStyle& style);

}  // namespace armilla::draw
