#pragma once

#include <string>
#include <vector>

namespace armilla::draw {

struct Tick {
  double value = 0;
  std::string label;  ///< empty for a small tick
};

/// Ticks of an axis. Where the numbers are very large or small their common power of ten is taken out of the labels:
/// value = label * 10^exponent.
struct Ticks {
  std::vector<Tick> ticks;
  int exponent = 0;
};

/// Labelled ticks at multiples of 1, 2, 2.5 or 5 times a power of ten within [low, high], at most `most` (>= 2) of
/// them. Both ends equal, exchanged or not finite: sensible ticks or none, no error.
Ticks linear_ticks(double low, double high, int most);

/// What stands beside the ticks of a logarithmic axis.
enum class LogLabels {
  kPowers,   ///< 10^-3, 1, 10, 10^2
  kNumbers,  ///< 2, 5, 10, 20, 50: for multipoles
};

/// Ticks of a logarithmic axis within [low, high], both positive: small ones at 2 .. 9 times each power of ten,
/// labelled ones at powers of ten, thinned out to at most `most` (>= 2), or also at 2 and 5 times them where there is
/// room.
Ticks log_ticks(double low, double high, int most, LogLabels labels);

}  // namespace armilla::draw
