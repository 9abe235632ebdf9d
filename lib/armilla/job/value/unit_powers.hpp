#pragma once

#include <optional>
#include <string>

namespace armilla::job {

/// The square of a unit: "K^2" of K, "m2 s-2" of m/s, m s-1 or m s**-1, as written by FITS and CF. A unit that is not a
/// product of powers of symbols is squared as a whole, "(1e-6 K)^2"; an empty unit stays empty.
std::string unit_squared(const std::string& unit);

/// The square root of a unit, for the spellings of unit_squared() and for "(uK)^2", "muK^2", "K**2", "K2"; empty if it
/// is not a square.
std::string unit_root(const std::string& squared);

/// The product of two units. An empty unit, or "1", is a plain number: the product is the other unit.
std::string unit_product(const std::string& a, const std::string& b);

/// The factor of numbers in unit `from` that become numbers in unit `to`: 1e6 from K to uK, 1e-12 from uK^2 to K^2.
/// Knows prefixes of K and Jy, the usual spellings of microkelvin (uK, muK, with the micro sign), and K_CMB and
/// "K,thermodynamic" for K. Other symbols must agree. std::nullopt if there is no such factor, or one of the units is
/// empty.
std::optional<double> unit_factor(const std::string& from, const std::string& to);

}  // namespace armilla::job
