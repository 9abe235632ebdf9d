#include <armilla/backend/cuda/device_rings.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>

#include <memory>
#include <string>

#include "support/device.hpp"
#include "support/ring_case.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

using test::ring_cases;
using test::RingCase;
using test::worst_ring;
using test::written;

constexpr Index kPlenty = Index{1} << 40;

// Many chunks to a group.
const RingOptions kSmall{.size = {.lines = 4, .least = 512, .most = 4096}};

// Relative rms of a ring. Chirps in single precision lose a digit: two transforms of twice the length and two products.
template <class T>
constexpr double kTolerance = sizeof(T) == 8 ? 1e-13 : 1e-6;

// The stage between arrays of the host.
template <class T>
std::vector<T> synthesised(const RingCase& c, DeviceRings<T>& stage, const std::vector<std::complex<T>>& delta,
                           std::span<const double> factor = {}) {
  const kernels::Stream stream;
  const auto there = kernels::upload<std::complex<T>>(delta, stream);
  const auto factors = kernels::upload<double>(factor, stream);
  auto map = c.poisoned_map<T>();
  auto pixels = kernels::upload<T>(map, stream);
  stage.synthesis(there.data(), factors.data(), pixels.data(), stream);
  kernels::copy(map.data(), pixels.data(), pixels.size(), stream);
  stream.wait();
  return map;
}

template <class T>
std::vector<std::complex<T>> adjoint_of(const RingCase& c, DeviceRings<T>& stage, const std::vector<T>& map,
                                        std::span<const double> factor = {}) {
  const kernels::Stream stream;
  const auto pixels = kernels::upload<T>(map, stream);
  const auto factors = kernels::upload<double>(factor, stream);
  auto delta = c.poisoned_delta<T>();
  auto there = kernels::upload<std::complex<T>>(delta, stream);
  stage.adjoint(pixels.data(), factors.data(), there.data(), stream);
  kernels::copy(delta.data(), there.data(), there.size(), stream);
  stream.wait();
  return delta;
}

template <class T>
void expect_agreement(const RingCase& c, DeviceRings<T>& stage) {
  fft::RingTransform<T> rings(c.task, std::make_shared<fft::PlanCache<T>>());
  const std::vector<double> factors = c.factors();
  const auto delta = c.random_delta<T>();
  const auto map = c.random_map<T>();
  for (const bool weighted : {false, true}) {
    const std::span<const double> factor = weighted ? std::span<const double>(factors) : std::span<const double>();
    auto expected_map = c.poisoned_map<T>();
    rings.synthesis(delta.data(), expected_map.data(), factor);
    const auto got_map = synthesised(c, stage, delta, factor);
    EXPECT_LT(worst_ring(c, got_map, expected_map), kTolerance<T>) << c.name << " synthesis";
    EXPECT_EQ(written(got_map), written(expected_map)) << c.name;

    auto expected_delta = c.poisoned_delta<T>();
    rings.adjoint(map.data(), factor, expected_delta.data());
    const auto got_delta = adjoint_of(c, stage, map, factor);
    EXPECT_LT(worst_ring(c, got_delta, expected_delta), kTolerance<T>) << c.name << " adjoint";
    EXPECT_EQ(written(got_delta), written(expected_delta)) << c.name;
  }
}

// Two neighbouring slots on their own.
std::vector<fft::RingShape> pair_of(const RingCase& all, Index slot) {
  std::vector<fft::RingShape> rings;
  for (const Index s : {slot, slot + 1}) {
    rings.push_back(all.rings[static_cast<std::size_t>(s)]);
    if (rings.back().partner >= 0) rings.back().partner -= slot;
  }
  return rings;
}

template <class T>
class DeviceRingsOf : public testing::Test {};
using RingPrecisions = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceRingsOf, RingPrecisions);

TYPED_TEST(DeviceRingsOf, AgreeWithTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  for (const auto& c : ring_cases()) {
    DeviceRings<TypeParam> stage(c->task, kPlenty, kernels::Stream(), kSmall);
    expect_agreement(*c, stage);
  }
}

TYPED_TEST(DeviceRingsOf, AgreeWithTheCpuInChunksOfUsualSize) {
  ARMILLA_NEEDS_DEVICE();
  for (const auto& c : ring_cases()) {
    DeviceRings<TypeParam> stage(c->task, kPlenty, kernels::Stream());
    expect_agreement(*c, stage);
  }
}

// With the minimal working space, chirps are recomputed for each chunk, in a single lane, with bitwise identical
// results.
TYPED_TEST(DeviceRingsOf, NeedNoMoreThanTheLeastWorkingSpace) {
  using T = TypeParam;
  ARMILLA_NEEDS_DEVICE();
  const kernels::Stream stream;
  int made_anew = 0;
  int in_lanes = 0;
  for (const auto& c : ring_cases()) {
    // cuFFT says with its plans only what it needs itself.
    Index work = RingGroups(c->task, kSmall).memory(c->task, sizeof(T), 0).min_work();
    try {
      DeviceRings<T> starved(c->task, work - 1, stream, kSmall);
      FAIL() << c->name;
    } catch (const core::ResourceError& error) {
      EXPECT_NE(std::string(error.what()).find("need at least"), std::string::npos) << error.what();
    }
    std::unique_ptr<DeviceRings<T>> poor;
    while (poor == nullptr) {
      try {
        poor = std::make_unique<DeviceRings<T>>(c->task, work, stream, kSmall);
      } catch (const core::ResourceError&) {
        work += work / 8;
        ASSERT_LT(work, kPlenty);
      }
    }
    DeviceRings<T> rich(c->task, kPlenty, stream, kSmall);
    EXPECT_TRUE(rich.keeps_chirps());
    made_anew += poor->keeps_chirps() ? 0 : 1;
    EXPECT_EQ(poor->lanes(), 1);
    in_lanes += rich.lanes() == RingWork::kMaxLanes ? 1 : 0;
    const auto delta = c->template random_delta<T>();
    const auto map = c->template random_map<T>();
    const auto a = synthesised(*c, rich, delta);
    const auto b = synthesised(*c, *poor, delta);
    const auto d = adjoint_of(*c, rich, map);
    const auto e = adjoint_of(*c, *poor, map);
    c->for_each_pixel([&](Index, Index, Index, std::size_t i) { ASSERT_EQ(a[i], b[i]) << c->name; });
    c->for_each_delta([&](Index, Index, Index, std::size_t i) { ASSERT_EQ(d[i], e[i]) << c->name; });
  }
  EXPECT_GT(made_anew, 3);
  EXPECT_GT(in_lanes, 3);
}

// A map is bitwise identical alone and among others.
TYPED_TEST(DeviceRingsOf, GiveTheSameBitsInAnyBatch) {
  ARMILLA_NEEDS_DEVICE();
  using T = TypeParam;
  const auto grid = grid::make_healpix(24);
  const RingCase many(grid, 71, 2, 3);
  const RingCase one(grid, 71, 1, 1);
  const auto delta = many.random_delta<T>();
  const auto map = many.random_map<T>();
  DeviceRings<T> stage(many.task, kPlenty, kernels::Stream(), kSmall);
  DeviceRings<T> alone(one.task, kPlenty, kernels::Stream(), kSmall);
  const auto all_map = synthesised(many, stage, delta);
  const auto all_delta = adjoint_of(many, stage, map);
  for (Index w = 0; w < many.width(); ++w) {
    auto own_delta = one.template poisoned_delta<T>();
    auto own_map = one.template poisoned_map<T>();
    one.for_each_delta(
        [&](Index slot, Index, Index m, std::size_t i) { own_delta[i] = delta[many.delta_at(m, slot, w)]; });
    one.for_each_pixel([&](Index slot, Index, Index j, std::size_t i) { own_map[i] = map[many.pixel_at(slot, w, j)]; });
    const auto got_map = synthesised(one, alone, own_delta);
    const auto got_delta = adjoint_of(one, alone, own_map);
    one.for_each_pixel(
        [&](Index slot, Index, Index j, std::size_t i) { ASSERT_EQ(got_map[i], all_map[many.pixel_at(slot, w, j)]); });
    one.for_each_delta([&](Index slot, Index, Index m, std::size_t i) {
      ASSERT_EQ(got_delta[i], all_delta[many.delta_at(m, slot, w)]);
    });
  }
}

TEST(DeviceRings, MayHaveNothingToDo) {
  ARMILLA_NEEDS_DEVICE();
  const RingCase none("no rings", {});
  const RingCase still("rings that feel no m", {{128, 0.1, 0, 0, 1}, {128, 0.2, 0, 0, 0}, {3, 0.1, 0, 0, -1}});
  for (const RingCase* c : {&none, &still}) {
    DeviceRings<double> stage(c->task, kPlenty, kernels::Stream());
    const auto map = synthesised(*c, stage, c->random_delta<double>());
    c->for_each_pixel([&](Index, Index, Index, std::size_t i) { EXPECT_EQ(map[i], 0); });
    EXPECT_EQ(written(adjoint_of(*c, stage, c->random_map<double>())), 0u);
  }
}

// Pairs of rings are bitwise identical alone, as on another rank, if the plain lengths are those of the grid.
TYPED_TEST(DeviceRingsOf, GiveTheSameBitsInAnyShareOfTheRings) {
  using T = TypeParam;
  ARMILLA_NEEDS_DEVICE();
  const auto grid = grid::make_healpix(20);
  const RingCase all(grid, 63, 1, 1);
  std::vector<Index> lengths;
  for (const grid::Ring& ring : grid.rings()) lengths.push_back(ring.nphi);
  RingOptions options = kSmall;
  options.plain = plain_lengths(lengths, kSmall.size);
  EXPECT_FALSE(options.plain->empty());
  const auto delta = all.random_delta<T>();
  const auto map = all.random_map<T>();
  DeviceRings<T> whole(all.task, kPlenty, kernels::Stream(), options);
  const auto all_map = synthesised(all, whole, delta);
  const auto all_delta = adjoint_of(all, whole, map);
  for (Index slot = 0; slot + 1 < static_cast<Index>(all.rings.size()); slot += 2) {
    const RingCase pair("a pair", pair_of(all, slot));
    DeviceRings<T> alone(pair.task, kPlenty, kernels::Stream(), options);
    auto own_delta = pair.poisoned_delta<T>();
    auto own_map = pair.poisoned_map<T>();
    pair.for_each_delta(
        [&](Index s, Index, Index m, std::size_t i) { own_delta[i] = delta[all.delta_at(m, slot + s, 0)]; });
    pair.for_each_pixel(
        [&](Index s, Index, Index j, std::size_t i) { own_map[i] = map[all.pixel_at(slot + s, 0, j)]; });
    const auto got_map = synthesised(pair, alone, own_delta);
    const auto got_delta = adjoint_of(pair, alone, own_map);
    pair.for_each_pixel(
        [&](Index s, Index, Index j, std::size_t i) { ASSERT_EQ(got_map[i], all_map[all.pixel_at(slot + s, 0, j)]); });
    pair.for_each_delta([&](Index s, Index, Index m, std::size_t i) {
      ASSERT_EQ(got_delta[i], all_delta[all.delta_at(m, slot + s, 0)]);
    });
  }
}

// <S delta, map> = <delta, S' map>, where m > 0 stands for -m as well and m = 0 is real.
TEST(DeviceRings, AreAdjoint) {
  ARMILLA_NEEDS_DEVICE();
  for (const auto& c : ring_cases()) {
    DeviceRings<double> stage(c->task, kPlenty, kernels::Stream(), kSmall);
    const std::vector<double> factors = c->factors();
    const auto delta = c->random_delta<double>();
    const auto map = c->random_map<double>();
    const auto s = synthesised(*c, stage, delta, factors);
    const auto a = adjoint_of(*c, stage, map, factors);
    double left = 0, right = 0, size = 0;
    c->for_each_pixel([&](Index, Index, Index, std::size_t i) {
      left += s[i] * map[i];
      size += std::abs(s[i] * map[i]);
    });
    c->for_each_delta([&](Index, Index, Index m, std::size_t i) {
      right += m == 0 ? delta[i].real() * a[i].real() : 2 * (delta[i] * std::conj(a[i])).real();
    });
    EXPECT_NEAR(left, right, 1e-14 * size) << c->name;
  }
}

// One coefficient on long rings gives the wave it stands for: phases and chirps keep all digits.
TEST(DeviceRings, AreAccurateOnLongRings) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index n : {Index{4 * 2039}, Index{8191}, Index{8192}, Index{12288}}) {
    const double phi0 = 1.234567890123;
    const RingCase c("long rings", {{n, phi0, 0, 32768, 1}, {n, phi0, 0, 32768, 0}});
    DeviceRings<double> stage(c.task, kPlenty, kernels::Stream());
    for (const Index m : {Index{4094}, Index{32767}}) {
      auto delta = c.poisoned_delta<double>();
      c.for_each_delta([&](Index, Index, Index, std::size_t i) { delta[i] = 0; });
      delta[c.delta_at(m, 0, 0)] = {0.5, 0};
      delta[c.delta_at(m - 1, 1, 0)] = {0, 0.5};
      const auto map = synthesised(c, stage, delta);
      const auto wave = [&](Index order, Index j) {
        const long double turn =
            2 * std::acos(-1.0L) * static_cast<long double>(order * j % n) / static_cast<long double>(n);
        return turn + static_cast<long double>(order) * static_cast<long double>(phi0);
      };
      double worst = 0;
      for (Index j = 0; j < n; ++j) {
        worst = std::max(worst, std::abs(map[c.pixel_at(0, 0, j)] - static_cast<double>(std::cos(wave(m, j)))));
        worst = std::max(worst, std::abs(map[c.pixel_at(1, 0, j)] + static_cast<double>(std::sin(wave(m - 1, j)))));
      }
      EXPECT_LT(worst, 30 * std::numeric_limits<double>::epsilon()) << n << " " << m;
    }
  }
}

}  // namespace
}  // namespace armilla::backend
