#include <armilla/math/ring_aliases.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace armilla::math {

namespace {

// exp(-i k nphi phi0). If nphi phi0 is a multiple of a half turn, as on most grids, the result is exact.
Turn turn_of(Index k, Index nphi, double phi0) {
  const double turns = std::remainder(static_cast<double>(nphi) * phi0 / (2 * std::numbers::pi), 1.0);
  const double quarters = std::round(4 * turns);
  const double snapped = std::abs(4 * turns - quarters) < 1e-12 ? quarters / 4 : turns;
  const double angle = std::remainder(snapped * static_cast<double>(k), 1.0);
  if (const double q = 4 * angle; q == std::round(q)) {
    const auto quarter = (static_cast<Index>(q) + 4) % 4;
    constexpr double kCos[] = {1, 0, -1, 0};
    constexpr double kSin[] = {0, 1, 0, -1};
    return {kCos[quarter], -kSin[quarter]};
  }
  return {std::cos(2 * std::numbers::pi * angle), -std::sin(2 * std::numbers::pi * angle)};
}

}  // namespace

RingAliases::RingAliases(std::span<const Index> nphi, std::span<const double> phi0, Index mmax)
    : nphi_(nphi.begin(), nphi.end()), mmax_(mmax) {
  for (std::size_t slot = 0; slot < nphi_.size(); ++slot) {
    first_.push_back(static_cast<Index>(turns_.size()));
    const Index most = (mmax + nphi_[slot] / 2) / nphi_[slot] + 1;
    for (Index k = 0; k <= most; ++k) turns_.push_back(turn_of(k, nphi_[slot], phi0[slot]));
  }
}

Index RingAliases::last_class(Index slot) const { return std::min(nphi_[at(slot)] / 2, mmax_); }

}  // namespace armilla::math
