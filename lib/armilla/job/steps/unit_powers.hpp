#pragma once

#include <string>

namespace armilla::job::steps {

/// The square of a unit: "K^2" of K, "m2 s-2" of m/s, m s-1 or m s**-1, as written by FITS and CF. A unit that is not a
/// product of powers of symbols is squared as a whole, "(1e-6 K)^2"; an empty unit stays empty.
std::string unit_squared(const std::string& unit);

/// The square root of a unit, for the spellings of unit_squared() and for "(uK)^2", "muK^2", "K**2", "K2"; empty if it
/// is not a square.
std::string unit_root(const std::string& squared);

}  // namespace armilla::job::steps
