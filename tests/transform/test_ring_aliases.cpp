#include <armilla/transform/ring_aliases.hpp>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

using core::Index;
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
      const RingAliases::Alias alias = aliases.of(m, slot);
      EXPECT_LE(2 * alias.c, nphi[ring]);
      EXPECT_LE(alias.c, aliases.last_class(slot));
      const Complex spectrum = sum_of(map, phi0[ring], alias.c);
      const Complex found = alias.phase * (alias.conjugate ? std::conj(spectrum) : spectrum);
      EXPECT_LT(std::abs(found - sum_of(map, phi0[ring], m)), 5e-13);
      if (aliases.is_plain(m, slot)) {
        EXPECT_EQ(alias.c, m);
        EXPECT_FALSE(aliases.is_own_mirror(alias.c, slot));
      }
      if (aliases.is_own_mirror(alias.c, slot)) {
        const Complex turned = alias.c == 0 ? Complex(1) : aliases.turned(slot);
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
      const Complex phase = aliases.of(m, slot).phase;
      EXPECT_EQ(phase.imag(), 0.0);
      EXPECT_EQ(std::abs(phase.real()), 1.0);
    }
}

}  // namespace
}  // namespace armilla::transform
