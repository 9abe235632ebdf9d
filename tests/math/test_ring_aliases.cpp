#include <armilla/math/ring_aliases.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::math {
namespace {

using Complex = std::complex<double>;

// Sum over the pixels of a ring of map exp(-i m phi).
Complex sum_of(const std::vector<double>& map, double phi0, Index m) {
  Complex sum = 0;
  const auto nphi = static_cast<Index>(map.size());
  for (Index j = 0; j < nphi; ++j) {
    const double phi = phi0 + 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(nphi);
    sum += map[static_cast<std::size_t>(j)] * std::polar(1.0, -static_cast<double>(m) * phi);
  }
  return sum;
}

TEST(RingAliases, EveryMIsKnownFromTheSpectrum) {
  const std::vector<Index> nphi{1, 2, 3, 4, 7, 8, 12};
  const std::vector<double> phi0{0.3, 0.0, -1.2, std::numbers::pi / 4, 2.5, std::numbers::pi / 8, 5.9};
  const Index mmax = 30;
  const RingAliases aliases(nphi, phi0, mmax);
  for (std::size_t ring = 0; ring < nphi.size(); ++ring) {
    const auto slot = static_cast<Index>(ring);
    std::vector<double> map;
    for (Index j = 0; j < nphi[ring]; ++j) map.push_back(std::sin(1.3 * static_cast<double>(j * j) + 0.7));
    for (Index m = 0; m <= mmax; ++m) {
      SCOPED_TRACE(testing::Message() << "nphi " << nphi[ring] << ", m " << m);
      const RingAlias alias = aliases.of(m, slot);
      const Turn turn = aliases.turn(slot, alias.turns);
      const Complex phase{turn.re, turn.im};
      EXPECT_LE(2 * alias.c, nphi[ring]);
      EXPECT_LE(alias.c, aliases.last_class(slot));
      const Complex spectrum = sum_of(map, phi0[ring], alias.c);
      const Complex found = phase * (alias.conjugate ? std::conj(spectrum) : spectrum);
      EXPECT_LT(std::abs(found - sum_of(map, phi0[ring], m)), 5e-13);
      if (aliases.is_plain(m, slot)) {
        EXPECT_EQ(alias.c, m);
        EXPECT_FALSE(RingAlias::is_own_mirror(alias.c, nphi[ring]));
      }
      if (RingAlias::is_own_mirror(alias.c, nphi[ring])) {
        const Complex turned = alias.c == 0 ? Complex(1) : Complex(aliases.turn(slot, 1).re, aliases.turn(slot, 1).im);
        EXPECT_LT(std::abs(spectrum - turned * std::conj(spectrum)), 1e-13);
      }
    }
  }
}

// Half and quarter turns are exact, so that HEALPix's phases are signs.
TEST(RingAliases, TurnsOfHealpixAreSigns) {
  const std::vector<Index> nphi{4, 8, 4096, 12};
  const std::vector<double> phi0{std::numbers::pi / 4, std::numbers::pi / 8, std::numbers::pi / 4096, 0};
  const RingAliases aliases(nphi, phi0, 20000);
  for (Index slot = 0; slot < 4; ++slot)
    for (Index m = 0; m <= 20000; m += 37) {
      const Turn turn = aliases.turn(slot, aliases.of(m, slot).turns);
      EXPECT_EQ(turn.im, 0.0);
      EXPECT_EQ(std::abs(turn.re), 1.0);
    }
}

TEST(RingAliases, FollowEachOtherInTheirClass) {
  const std::vector<double> phi0{0};
  for (const Index nphi : {1, 2, 3, 4, 7, 12}) {
    const std::vector<Index> lengths{nphi};
    const RingAliases aliases(lengths, phi0, 60);
    for (Index m = 0; m <= 60; ++m) {
      Index before = m - 1;
      while (before >= 0 && aliases.of(before, 0).c != aliases.of(m, 0).c) --before;
      const RingAlias alias = aliases.of(m, 0);
      EXPECT_EQ(std::max<Index>(alias.previous(nphi), -1), before) << m << " of " << nphi;
      Index after = m + 1;
      while (aliases.of(after, 0).c != alias.c) ++after;
      EXPECT_EQ(alias.next(nphi), after) << m << " of " << nphi;
    }
  }
}

// Delta_m of each m alone, against the sum over the pixels of its map.
TEST(RingAliases, TakeDeltaToTheirClass) {
  const std::vector<Index> nphi{1, 2, 3, 4, 7, 8};
  const std::vector<double> phi0{0.3, 0.2, -1.2, std::numbers::pi / 4, 2.5, std::numbers::pi / 8};
  const RingAliases aliases(nphi, phi0, 30);
  const Complex delta(0.7, -0.4);
  for (std::size_t ring = 0; ring < nphi.size(); ++ring)
    for (Index m = 0; m <= 30; ++m) {
      const auto slot = static_cast<Index>(ring);
      std::vector<double> map;
      for (Index j = 0; j < nphi[ring]; ++j) {
        const double phi = phi0[ring] + 2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(nphi[ring]);
        const double value = (delta * std::polar(1.0, static_cast<double>(m) * phi)).real();
        map.push_back(m == 0 ? value : 2 * value);
      }
      const RingAlias alias = aliases.of(m, slot);
      const PairMap to = class_of_alias(m, nphi[ring], alias, aliases.turn(slot, alias.turns), aliases.turn(slot, 1),
                                        static_cast<double>(nphi[ring]));
      const Complex found(to.a * delta.real() + to.b * delta.imag(), to.c * delta.imag() + to.d * delta.real());
      EXPECT_LT(std::abs(found - sum_of(map, phi0[ring], alias.c)), 1e-12) << m << " of " << nphi[ring];
    }
}

}  // namespace
}  // namespace armilla::math
