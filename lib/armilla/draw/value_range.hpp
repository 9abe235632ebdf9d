#pragma once

#include <armilla/core/types.hpp>

#include <optional>
#include <span>

namespace armilla::draw {

using core::Index;

/// True for NaN, infinities and HEALPix's value for a missing pixel, -1.6375e30 (also after conversion through float).
bool is_bad(double value);

enum class ColorScale {
  kLinear,
  kLogarithmic,  ///< of positive values
};

/// True if a value has a colour: it is not bad and, on a logarithmic scale, positive.
bool is_drawn(double value, ColorScale scale);

/// Range of the values of a map for which is_drawn() holds; other values are counted as bad.
struct ValueStatistics {
  Index good = 0;
  Index bad = 0;
  double minimum = 0;
  double maximum = 0;
  double robust_low = 0;   ///< 0.5% of the values are lower
  double robust_high = 0;  ///< 0.5% of the values are higher
};

/// One pass over all values for counts and extremes. Percentiles of a map of more than a million pixels are those of a
/// regular sample. All members are zero if no value is good.
ValueStatistics survey(std::span<const double> values, ColorScale scale = ColorScale::kLinear);

enum class RangeRule {
  kRobust,  ///< from percentile 0.5 to 99.5, so that a few bright sources do not dominate
  kFull,    ///< from minimum to maximum
};

enum class RangeSymmetry {
  kAutomatic,  ///< symmetric if both signs matter: the shorter side of zero is at least 0.2 times the longer one
  kSymmetric,  ///< zero always in the middle
  kFree,       ///< unchanged
};

struct RangeStyle {
  RangeRule rule = RangeRule::kRobust;
  RangeSymmetry symmetry = RangeSymmetry::kAutomatic;
  /// Ends set by the user take precedence. With a symmetric range and one end set, the other end is its mirror image.
  std::optional<double> minimum = {};
  std::optional<double> maximum = {};
  ColorScale scale = ColorScale::kLinear;  ///< a logarithmic one is never symmetric
};

/// The values at the ends of a colour bar; always low < high.
struct ColorRange {
  double low = 0;
  double high = 1;
  bool symmetric = false;  ///< low = -high
  bool cut_below = false;  ///< the map has values below `low`
  bool cut_above = false;
  ColorScale scale = ColorScale::kLinear;
  /// The position of a value between the ends, from 0 to 1.
  double share(double value) const;
};

/// Throws InputError if the ends set by the user are not finite, not ascending or, on a logarithmic scale, not
/// positive. A constant map gets a range around its value.
ColorRange choose_range(const ValueStatistics& statistics, const RangeStyle& style);

}  // namespace armilla::draw
