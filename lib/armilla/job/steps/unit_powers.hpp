#pragma once

#include <string>

namespace armilla::job::steps {

/// The square of a unit: "K^2" of K, "m2 s-2" of m/s, m s-1 or m s**-1, as FITS and CF write them. A unit that is no
/// product of powers of symbols is squared as a whole, "(1e-6 K)^2"; nothing stays nothing.
std::string unit_squared(const std::string& unit);

/// The unit whose square it is, of the spellings of unit_squared() and of "(uK)^2", "muK^2", "K**2", "K2"; empty if
/// it is no square.
std::string unit_root(const std::string& squared);

}  // namespace armilla::job::steps
