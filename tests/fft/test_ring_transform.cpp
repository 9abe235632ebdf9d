#include <armilla/fft/ring_transform.hpp>

#include <cmath>
#include <limits>

#include "support/fields.hpp"
#include <gtest/gtest.h>
#include <omp.h>

namespace armilla::fft {
namespace {

using core::at;

// Rings of the lengths given, in pairs of mirror images where asked for, with any phase and fewer m on some.
struct Sphere {
  enum class Mirrors { kNone, kNeighbours, kFarApart };

  Sphere(const std::vector<Index>& lengths, Index mmax_, Mirrors mirrors, Index components = 2, Index maps = 2)
      : mmax(mmax_), width(components * maps) {
    const bool paired = mirrors != Mirrors::kNone;
    const Index units = static_cast<Index>(lengths.size());
    const Index slots = paired ? 2 * units : units;
    for (Index slot = 0; slot < slots; ++slot) {
      const bool far = mirrors == Mirrors::kFarApart;
      const Index unit = !paired ? slot : far ? slot % units : slot / 2;
      const Index mirror = !paired ? -1 : far ? (slot + units) % slots : slot ^ 1;
      // Every other pair has one longitude for both rings.
      const double phi0 = 0.3 * static_cast<double>(unit % 7) - 1.0 + (unit % 2 == 1 && slot > mirror ? 0.01 : 0.0);
      rings.push_back({lengths[at(unit)], phi0, pixels, unit % 3 == 1 ? mmax / 2 : mmax + 1, mirror});
      pixels += lengths[at(unit)];
    }
    for (Index m = 0; m <= mmax; ++m) shift.push_back(m * slots * width);
    delta_size = (mmax + 1) * slots * width;
    task = {.rings = rings,
            .m_shift = shift,
            .components = components,
            .maps = maps,
            .component_stride = pixels,
            .map_stride = components * pixels};
  }
  Sphere(const Sphere&) = delete;

  std::complex<double> phase(const RingShape& ring, Index m, Index j) const {
    const long double turn =
        2 * std::acos(-1.0L) * static_cast<long double>((m * j) % ring.nphi) / static_cast<long double>(ring.nphi);
    const long double phi = turn + static_cast<long double>(m) * static_cast<long double>(ring.phi0);
    return {static_cast<double>(std::cos(phi)), static_cast<double>(std::sin(phi))};
  }
  std::size_t delta_at(Index m, Index slot, Index w) const { return at(shift[at(m)] + slot * width + w); }
  std::size_t pixel_at(Index slot, Index w, Index j) const {
    return at((w % task.maps) * task.map_stride + (w / task.maps) * task.component_stride + rings[at(slot)].pixel + j);
  }

  Index mmax, width;
  std::vector<RingShape> rings;
  std::vector<Index> shift;
  Index pixels = 0, delta_size = 0;
  RingTask task;
};

template <class T>
std::vector<std::complex<T>> random_delta(const Sphere& s) {
  std::vector<std::complex<T>> delta(at(s.delta_size));
  for (std::size_t i = 0; i < delta.size(); ++i)
    delta[i] = {static_cast<T>(test::noise(1, i)), static_cast<T>(test::noise(2, i))};
  return delta;
}

template <class T>
std::vector<T> random_map(const Sphere& s) {
  std::vector<T> map(at(s.width * s.pixels));
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = static_cast<T>(test::noise(3, i));
  return map;
}

template <class T>
std::vector<T> synthesised(const Sphere& s, const std::vector<std::complex<T>>& delta) {
  std::vector<T> map(at(s.width * s.pixels), std::numeric_limits<T>::quiet_NaN());
  RingTransform<T>(s.task, std::make_shared<PlanCache<T>>()).synthesis(delta.data(), map.data());
  return map;
}

template <class T>
std::vector<std::complex<T>> adjoint_of(const Sphere& s, const std::vector<T>& map, std::span<const double> factor) {
  std::vector<std::complex<T>> delta(at(s.delta_size), std::numeric_limits<T>::quiet_NaN());
  RingTransform<T>(s.task, std::make_shared<PlanCache<T>>()).adjoint(map.data(), factor, delta.data());
  return delta;
}

// Rounding of an FFT: eps times the root of the sum of squares of the terms, grown by log2 of the length per stage; a
// chirp of padded length has a few times as many stages. `terms` numbers of rms at most 2.
template <class T>
double tolerance(Index terms, Index nphi) {
  const double n = static_cast<double>(nphi);
  return 4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::sqrt(static_cast<double>(terms) + 2 * n) *
         (2 + std::log2(n + 1));
}

template <class T>
void expect_synthesis_is_the_sum(const Sphere& s) {
  const auto delta = random_delta<T>(s);
  const auto map = synthesised(s, delta);
  for (Index slot = 0; slot < static_cast<Index>(s.rings.size()); ++slot) {
    const RingShape& ring = s.rings[at(slot)];
    for (Index j = 0; j < ring.nphi; ++j) {
      std::vector<double> sum(at(s.width));
      for (Index m = 0; m < ring.m_count; ++m) {
        const auto p = s.phase(ring, m, j);
        for (Index w = 0; w < s.width; ++w) {
          const std::complex<double> d(delta[s.delta_at(m, slot, w)]);
          sum[at(w)] += m == 0 ? d.real() : 2 * (d * p).real();
        }
      }
      for (Index w = 0; w < s.width; ++w)
        ASSERT_NEAR(map[s.pixel_at(slot, w, j)], sum[at(w)], tolerance<T>(ring.m_count, ring.nphi))
            << "nphi " << ring.nphi << " slot " << slot << " w " << w << " j " << j;
    }
  }
}

template <class T>
void expect_adjoint_is_the_sum(const Sphere& s, bool weighted) {
  const auto map = random_map<T>(s);
  std::vector<double> factor;
  for (std::size_t slot = 0; slot < s.rings.size(); ++slot)
    factor.push_back(0.5 + 0.5 * static_cast<double>(slot) / static_cast<double>(s.rings.size()));
  const auto delta = adjoint_of(s, map, weighted ? std::span<const double>(factor) : std::span<const double>());
  for (Index slot = 0; slot < static_cast<Index>(s.rings.size()); ++slot) {
    const RingShape& ring = s.rings[at(slot)];
    for (Index m = 0; m < ring.m_count; ++m) {
      std::vector<std::complex<double>> sum(at(s.width));
      for (Index j = 0; j < ring.nphi; ++j) {
        const auto p = std::conj(s.phase(ring, m, j));
        for (Index w = 0; w < s.width; ++w) sum[at(w)] += static_cast<double>(map[s.pixel_at(slot, w, j)]) * p;
      }
      for (Index w = 0; w < s.width; ++w) {
        const std::complex<double> d(delta[s.delta_at(m, slot, w)]);
        ASSERT_NEAR(std::abs(d - sum[at(w)] * (weighted ? factor[at(slot)] : 1.0)), 0,
                    tolerance<T>(ring.m_count, ring.nphi))
            << "nphi " << ring.nphi << " slot " << slot << " w " << w << " m " << m;
      }
    }
  }
}

constexpr Sphere::Mirrors kMirrors[] = {Sphere::Mirrors::kNone, Sphere::Mirrors::kNeighbours,
                                        Sphere::Mirrors::kFarApart};

template <class T>
class RingTransformOf : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(RingTransformOf, Precisions);

// Shorter than, as long as, and longer than 2 mmax + 1; every residue of 4.
TYPED_TEST(RingTransformOf, EveryShortLengthIsTheSum) {
  std::vector<Index> lengths;
  for (Index n = 1; n <= 70; ++n) lengths.push_back(n);
  for (const Sphere::Mirrors mirrors : kMirrors) {
    const Sphere s(lengths, 13, mirrors);
    expect_synthesis_is_the_sum<TypeParam>(s);
    expect_adjoint_is_the_sum<TypeParam>(s, false);
    expect_adjoint_is_the_sum<TypeParam>(s, true);
  }
}

// Chirps: primes, four times primes, lengths whose padding is just enough (2 part - 1 = 129 > 128) and others.
TYPED_TEST(RingTransformOf, LengthsWithLargePrimesAreTheSum) {
  const Sphere s({67, 97, 4 * 17, 4 * 31, 4 * 37, 4 * 65, 2 * 101, 6 * 71, 4 * 127, 509, 4 * 251}, 300,
                 Sphere::Mirrors::kNeighbours, 1, 1);
  expect_synthesis_is_the_sum<TypeParam>(s);
  expect_adjoint_is_the_sum<TypeParam>(s, true);
}

// More maps than a block takes at once.
TYPED_TEST(RingTransformOf, ManyMapsAreTheSum) {
  const Sphere s({12, 23, 76, 64}, 20, Sphere::Mirrors::kNeighbours, 2, 19);
  expect_synthesis_is_the_sum<TypeParam>(s);
  expect_adjoint_is_the_sum<TypeParam>(s, false);
}

// More than one tile of m, folded several times onto short rings.
TYPED_TEST(RingTransformOf, ManyMAreFolded) {
  const Sphere s({1, 2, 3, 4, 5, 8, 60, 64, 68, 200}, 333, Sphere::Mirrors::kNeighbours, 1, 1);
  expect_synthesis_is_the_sum<TypeParam>(s);
  expect_adjoint_is_the_sum<TypeParam>(s, false);
}

// The last ring of a HEALPix cap of nside 2039, a prime: one coefficient gives the wave it stands for.
TEST(RingTransform, AVeryLongRoughRingIsAccurate) {
  const Sphere s({4 * 2039}, 4095, Sphere::Mirrors::kNeighbours, 1, 1);
  const Index m = 4094;
  std::vector<std::complex<double>> delta(at(s.delta_size), 0.0);
  delta[s.delta_at(m, 0, 0)] = {0.5, 0};
  delta[s.delta_at(m - 1, 1, 0)] = {0, 0.5};
  ASSERT_EQ(RingFft<double>::method(4 * 2039), RingFft<double>::Method::kChirp);
  const auto map = synthesised(s, delta);
  double worst = 0;
  for (Index j = 0; j < 4 * 2039; ++j) {
    worst = std::max(worst, std::abs(map[s.pixel_at(0, 0, j)] - s.phase(s.rings[0], m, j).real()));
    worst = std::max(worst, std::abs(map[s.pixel_at(1, 0, j)] + s.phase(s.rings[1], m - 1, j).imag()));
  }
  EXPECT_LT(worst, 20 * std::numeric_limits<double>::epsilon());
}

// What a rank computes of a pair does not depend on the pairs around it, on the threads, or on the maps beside it.
TYPED_TEST(RingTransformOf, BitsDependOnThePairAlone) {
  using T = TypeParam;
  const std::vector<Index> lengths = {4, 8, 28, 44, 76, 92, 100, 124, 128, 128, 128, 128, 148, 152, 164};
  const Sphere all(lengths, 90, Sphere::Mirrors::kNeighbours, 1, 3);
  const auto delta = random_delta<T>(all);
  const auto map = random_map<T>(all);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(3);
  const auto all_map = synthesised(all, delta);
  const auto all_delta = adjoint_of(all, map, {});
  omp_set_num_threads(1);
  for (Index unit = 0; unit < static_cast<Index>(lengths.size()); ++unit)
    for (Index w = 0; w < 3; ++w) {
      Sphere one({lengths[at(unit)]}, 90, Sphere::Mirrors::kNeighbours, 1, 1);
      std::vector<std::complex<T>> one_delta(at(one.delta_size));
      std::vector<T> one_map(at(one.pixels));
      for (const Index side : {0, 1}) {
        const RingShape& ring = all.rings[at(2 * unit + side)];
        one.rings[at(side)].phi0 = ring.phi0;
        one.rings[at(side)].m_count = ring.m_count;
        for (Index m = 0; m < ring.m_count; ++m)
          one_delta[one.delta_at(m, side, 0)] = delta[all.delta_at(m, 2 * unit + side, w)];
        for (Index j = 0; j < ring.nphi; ++j)
          one_map[one.pixel_at(side, 0, j)] = map[all.pixel_at(2 * unit + side, w, j)];
      }
      const auto alone_map = synthesised(one, one_delta);
      const auto alone_delta = adjoint_of(one, one_map, {});
      for (const Index side : {0, 1}) {
        const RingShape& ring = one.rings[at(side)];
        for (Index j = 0; j < ring.nphi; ++j)
          ASSERT_EQ(alone_map[one.pixel_at(side, 0, j)], all_map[all.pixel_at(2 * unit + side, w, j)]);
        for (Index m = 0; m < ring.m_count; ++m)
          ASSERT_EQ(alone_delta[one.delta_at(m, side, 0)], all_delta[all.delta_at(m, 2 * unit + side, w)]);
      }
    }
  omp_set_num_threads(threads);
}

// Workspaces stay from call to call: what was done before, by other threads or on another map, leaves no trace.
TYPED_TEST(RingTransformOf, CallsLeaveNoTrace) {
  using T = TypeParam;
  const Sphere s({4, 44, 64, 76, 100, 128, 128, 50, 148}, 90, Sphere::Mirrors::kNeighbours, 1, 3);
  const auto delta = random_delta<T>(s);
  const auto map = random_map<T>(s);
  const auto fresh_map = synthesised(s, delta);
  const auto fresh_delta = adjoint_of(s, map, {});
  const int threads = omp_get_max_threads();
  RingTransform<T> rings(s.task, std::make_shared<PlanCache<T>>());
  for (const int now : {1, 3, 2}) {
    omp_set_num_threads(now);
    std::vector<T> again_map(map.size(), std::numeric_limits<T>::quiet_NaN());
    std::vector<std::complex<T>> again_delta(delta.size(), std::numeric_limits<T>::quiet_NaN());
    rings.adjoint(again_map.data(), {}, again_delta.data());  // of NaN
    rings.synthesis(again_delta.data(), again_map.data());
    rings.synthesis(delta.data(), again_map.data());
    rings.adjoint(map.data(), {}, again_delta.data());
    EXPECT_EQ(again_map, fresh_map);
    for (Index m = 0; m <= s.mmax; ++m)
      for (Index slot = 0; slot < static_cast<Index>(s.rings.size()); ++slot)
        for (Index w = 0; w < s.width && m < s.rings[at(slot)].m_count; ++w)
          ASSERT_EQ(again_delta[s.delta_at(m, slot, w)], fresh_delta[s.delta_at(m, slot, w)]);
  }
  omp_set_num_threads(threads);
}

}  // namespace
}  // namespace armilla::fft
