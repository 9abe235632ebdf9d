#include <armilla/draw/ticks.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

namespace armilla::draw {
namespace {

/// Replaces a leading hyphen by the minus sign U+2212.
std::string with_minus_sign(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "\u2212");
  return text;
}

struct Step {
  double mantissa;
  int power;
  double size() const { return mantissa * std::pow(10.0, power); }
  // The tolerance includes ends that are multiples except for rounding.
  double first(double low) const { return std::ceil(low / size() - 1e-9); }
  double last(double high) const { return std::floor(high / size() + 1e-9); }
};

/// The smallest step 1, 2, 2.5 or 5 x 10^n that puts at most `most` multiples into [low, high].
Step choose_step(double low, double high, int most) {
  const int power = static_cast<int>(std::floor(std::log10((high - low) / most)));
  for (int n = power; n <= power + 2; ++n)
    for (const double mantissa : {1.0, 2.0, 2.5, 5.0})
      if (const Step step{mantissa, n}; step.last(high) - step.first(low) + 1 <= most) return step;
  return {1.0, power + 3};
}

/// The label 10^k; "1" and "10" for k = 0 and 1.
std::string power_label(int power) {
  if (power == 0) return "1";
  if (power == 1) return "10";
  return fmt::format("10^{{{}}}", power);
}

std::string number_label(double mantissa, int power) {
  if (power >= 0 && power <= 4) return fmt::format("{:.0f}", mantissa * std::pow(10.0, power));
  if (power < 0 && power >= -3) return fmt::format("{:.{}f}", mantissa * std::pow(10.0, power), -power);
  if (mantissa == 1) return power_label(power);
  return fmt::format("{:.0f}\u00d710^{{{}}}", mantissa, power);
}

}  // namespace

Ticks linear_ticks(double low, double high, int most) {
  Ticks result;
  if (!std::isfinite(low) || !std::isfinite(high) || !std::isfinite(high - low)) return result;
  if (low > high) std::swap(low, high);
  const double largest = std::max(std::abs(low), std::abs(high));
  // Labels of ends that are closer than this would not differ.
  if (high - low <= 1e-12 * largest || high - low < 1e-300) {
    result.ticks.push_back({low, with_minus_sign(fmt::format("{:.6g}", low))});
    return result;
  }
  const Step step = choose_step(low, high, most);
  const int leading = static_cast<int>(std::floor(std::log10(largest)));
  if (leading >= 5 || leading <= -3) result.exponent = leading;
  const int decimals = std::max(0, (step.mantissa == 2.5 ? 1 : 0) - (step.power - result.exponent));
  for (double multiple = step.first(low); multiple <= step.last(high); multiple += 1) {
    const double value = multiple * step.size();
    const double shown = multiple * step.mantissa * std::pow(10.0, step.power - result.exponent);
    result.ticks.push_back({value, with_minus_sign(fmt::format("{:.{}f}", shown + 0.0, decimals))});
  }
  return result;
}

Ticks log_ticks(double low, double high, int most, LogLabels labels) {
  Ticks result;
  if (!(low > 0) || !(high >= low) || !std::isfinite(high)) return result;
  constexpr double kSlack = 1e-9;
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  const double decades = std::log10(high / low);
  const int powers = static_cast<int>(std::floor(std::log10(high) + kSlack) - std::ceil(std::log10(low) - kSlack)) + 1;
  const bool between = 3 * decades + 1 <= most;
  const int every = std::max(1, (powers + most - 1) / most);
  for (int power = first; power <= last; ++power) {
    for (int mantissa = 1; mantissa <= 9; ++mantissa) {
      const double value = mantissa * std::pow(10.0, power);
      if (value < low * (1 - kSlack) || value > high * (1 + kSlack)) continue;
      if (every > 1 && mantissa > 1) continue;
      const bool labelled = mantissa == 1 ? power % every == 0 : between && (mantissa == 2 || mantissa == 5);
      std::string label;
      if (labelled)
        label = labels == LogLabels::kNumbers || between ? number_label(mantissa, power) : power_label(power);
      result.ticks.push_back({value, with_minus_sign(label)});
    }
  }
  return result;
}

}  // namespace armilla::draw
