#pragma once

#include <string>
#include <vector>

namespace armilla::draw {

struct Tick {
  double value = 0;
  std::string label;  ///< empty for a minor tick
};

/// Ticks of an axis. For very large or small values, the labels omit the common power of ten: value = label *
/// 10^exponent.
struct Ticks {
  std::vector<Tick> ticks;
  int exponent = 0;
};

/// At most `most` (>= 2) labelled ticks at multiples of 1, 2, 2.5 or 5 times a power of ten within [low, high]. If the
/// ends are equal, exchanged or not finite, it returns reasonable ticks or none, without an error.
Ticks linear_ticks(double low, double high, int most);

/// Labels of the ticks of a logarithmic axis.
enum class LogLabels {
  kPowers,   ///< 10^-3, 1, 10, 10^2
  kNumbers,  ///< 2, 5, 10, 20, 50: for multipoles
};

/// Ticks of a logarithmic axis within [low, high], both positive. Minor ticks are at 2 .. 9 times each power of ten.
/// Labelled ticks are at powers of ten, reduced to at most `most` (>= 2), or also at 2 and 5 times them if they fit.
Ticks log_ticks(double low, double high, int most, LogLabels labels);

}  // namespace armilla::draw
