#include <armilla/core/error.hpp>
#include <armilla/draw/value_range.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace armilla::draw {
namespace {

constexpr double kBadData = -1.6375e30;
constexpr Index kLargestSample = Index{1} << 20;
constexpr double kRobustShare = 0.005;
constexpr double kBothSignsMatter = 0.2;

/// Rounds up to two digits, so that the ends of a symmetric range are readable.
double round_up(double positive) {
  const double unit = std::pow(10.0, std::floor(std::log10(positive)) - 1);
  return std::ceil(positive / unit - 1e-9) * unit;
}

void widen_if_empty(ColorRange& range) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (range.high - range.low > 1e-12 * largest) return;
  const double margin = largest > 0 ? 0.1 * largest : 1;
  if (range.scale == ColorScale::kLogarithmic) {
    range.low = largest > 0 ? range.low / 2 : 1;
    range.high = largest > 0 ? range.high * 2 : 10;
  } else {
    range.low -= margin;
    range.high += margin;
  }
}

void check(const RangeStyle& style) {
  for (const auto& end : {style.minimum, style.maximum}) {
    if (end && !std::isfinite(*end))
      throw core::InputError(
          fmt::format("colour range: {} is not a finite number: use finite numbers for min and max", *end));
    if (end && style.scale == ColorScale::kLogarithmic && *end <= 0)
      throw core::InputError(fmt::format(
          "colour range: {} is not positive, but the colour scale is logarithmic: use positive limits", *end));
  }
  if (style.minimum && style.maximum && !(*style.minimum < *style.maximum))
    throw core::InputError(fmt::format("colour range: min = {} is not below max = {}: swap or change them",
                                       *style.minimum, *style.maximum));
}

void apply_user_ends(ColorRange& range, const RangeStyle& style) {
  if (style.minimum) range.low = *style.minimum;
  if (style.maximum) range.high = *style.maximum;
  if (range.symmetric && style.minimum && !style.maximum && range.low < 0) range.high = -range.low;
  if (range.symmetric && style.maximum && !style.minimum && range.high > 0) range.low = -range.high;
  if (range.low < range.high) return;
  // The end set by the user is beyond all values, so the other end is moved beyond it.
  const double set = style.minimum ? range.low : range.high;
  if (range.scale == ColorScale::kLogarithmic) {
    (style.minimum ? range.high : range.low) = style.minimum ? set * 10 : set / 10;
    return;
  }
  const double margin = set != 0 ? 0.1 * std::abs(set) : 1;
  (style.minimum ? range.high : range.low) = style.minimum ? set + margin : set - margin;
}

bool wants_symmetry(const ColorRange& range, RangeSymmetry symmetry) {
  if (symmetry != RangeSymmetry::kAutomatic) return symmetry == RangeSymmetry::kSymmetric;
  return range.low < 0 && range.high > 0 &&
         std::min(-range.low, range.high) >= kBothSignsMatter * std::max(-range.low, range.high);
}

}  // namespace

bool is_bad(double value) { return !std::isfinite(value) || std::abs(value - kBadData) < 1e-5 * std::abs(kBadData); }

bool is_drawn(double value, ColorScale scale) { return !is_bad(value) && (scale == ColorScale::kLinear || value > 0); }

double ColorRange::share(double value) const {
  if (scale == ColorScale::kLogarithmic) return std::log(value / low) / std::log(high / low);
  return (value - low) / (high - low);
}

ValueStatistics survey(std::span<const double> values, ColorScale scale) {
  ValueStatistics result;
  result.minimum = std::numeric_limits<double>::max();
  result.maximum = std::numeric_limits<double>::lowest();
  const auto count = static_cast<Index>(values.size());
  // The stride is odd, because an even one could sample only every other pixel of each ring.
  const Index stride = (count / kLargestSample) | 1;
  std::vector<double> sample;
  sample.reserve(static_cast<std::size_t>(count / stride + 1));
  for (Index i = 0; i < count; ++i) {
    const double value = values[static_cast<std::size_t>(i)];
    if (!is_drawn(value, scale)) {
      ++result.bad;
      continue;
    }
    result.minimum = std::min(result.minimum, value);
    result.maximum = std::max(result.maximum, value);
    if (i % stride == 0) sample.push_back(value);
  }
  result.good = count - result.bad;
  if (result.good == 0) return {0, result.bad, 0, 0, 0, 0};
  if (sample.empty()) sample = {result.minimum, result.maximum};
  const auto place = static_cast<std::ptrdiff_t>(kRobustShare * static_cast<double>(sample.size()));
  std::nth_element(sample.begin(), sample.begin() + place, sample.end());
  result.robust_low = sample[static_cast<std::size_t>(place)];
  std::nth_element(sample.begin(), sample.end() - 1 - place, sample.end());
  result.robust_high = *(sample.end() - 1 - place);
  return result;
}

ColorRange choose_range(const ValueStatistics& statistics, const RangeStyle& style) {
  check(style);
  ColorRange range;
  range.scale = style.scale;
  // If the percentiles coincide, the map is constant except for a few pixels, which only the full range shows.
  const bool full = style.rule == RangeRule::kFull || !(statistics.robust_low < statistics.robust_high);
  range.low = full ? statistics.minimum : statistics.robust_low;
  range.high = full ? statistics.maximum : statistics.robust_high;
  range.symmetric = style.scale == ColorScale::kLinear && wants_symmetry(range, style.symmetry);
  if (range.symmetric) {
    const double largest = std::max(std::abs(range.low), std::abs(range.high));
    range.high = largest > 0 ? (full ? largest : round_up(largest)) : 1;
    range.low = -range.high;
  } else {
    widen_if_empty(range);
  }
  apply_user_ends(range, style);
  range.symmetric = range.low == -range.high;
  range.cut_below = statistics.good > 0 && statistics.minimum < range.low;
  range.cut_above = statistics.good > 0 && statistics.maximum > range.high;
  return range;
}

}  // namespace armilla::draw
