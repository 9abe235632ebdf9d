// Exact quadrature in theta on the device against the CPU's, column by column.
#include <armilla/backend/cuda/device_quadrature.hpp>
#include <armilla/backend/delta_column.hpp>
#include <armilla/backend/quadrature_engine.hpp>
#include <armilla/backend/source_rings.hpp>
#include <armilla/backend/theta_chunk.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "support/column_fft.hpp"
#include "support/device.hpp"
#include "support/theta_columns.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

using resample::PairValue;
using test::distance;
using test::for_each_column;
using test::kMuch;
using test::kNever;
using test::Numbers;
using test::RingTask;

constexpr Index kRuleLmax = 40;

// The least rings of a rule: i = 0 .. count - 1 at (2 i + shift) pi / points.
struct Rule {
  std::string name;
  math::MeridianCircle circle;
  Index count;
};

std::vector<Rule> rules() {
  return {{"cc", {2 * kRuleLmax + 2, 0}, kRuleLmax + 2},     {"f1", {2 * kRuleLmax + 2, 1}, kRuleLmax + 1},
          {"f2", {2 * kRuleLmax + 4, 2}, kRuleLmax + 1},     {"mw", {2 * kRuleLmax + 1, 1}, kRuleLmax + 1},
          {"mwflip", {2 * kRuleLmax + 1, 0}, kRuleLmax + 1}, {"dh", {2 * kRuleLmax + 2, 0}, kRuleLmax + 1}};
}

RingTask::Pairs pairs_of(const Rule& rule) {
  RingTask::Pairs pairs;
  const auto is_there = [&](Index q) {
    const Index i = (q - rule.circle.shift) / 2;
    return (q - rule.circle.shift) % 2 == 0 && i >= 0 && i < rule.count;
  };
  for (Index q = 0; 2 * q <= rule.circle.points; ++q) {
    const bool north = is_there(q);
    const bool south = 2 * q < rule.circle.points && is_there(rule.circle.points - q);
    if (!north && !south) continue;
    const double theta = core::kPi * static_cast<double>(q) / static_cast<double>(rule.circle.points);
    pairs.cosine.push_back(std::max(0.0, std::cos(theta)));
    pairs.sine.push_back(std::sin(theta));
    pairs.north.push_back(north);
    pairs.south.push_back(south);
  }
  return pairs;
}

// Everything about one rule and spin, on the CPU, for source rings of this degree.
struct Quadrature {
  Quadrature(const Rule& rule, Index spin, Index source_lmax = kRuleLmax)
      : rings(spin, kRuleLmax, {0, 1, 2, 17, kRuleLmax}, pairs_of(rule), 2),
        circle(rule.circle, {rings.task.cos_theta, rings.task.sin_theta, rings.task.north_slot, rings.task.south_slot}),
        source_side(make_quadrature_resampler({}, rings.task, source_lmax, circle)),
        grid_side(make_quadrature_resampler({}, rings.task, kRuleLmax, circle)),
        quadrature(source_side, grid_side, circle),
        source((rings.first.back() = 3, rings.task), source_side.source_cos(), source_side.source_sin()),
        resampling(grid_side),
        work(quadrature, resampling) {}

  resample::PoleParity parity(Index k) const {
    return resample::pole_parity(rings.m[static_cast<std::size_t>(k)], rings.task.spin);
  }
  std::vector<PairValue> read(const Numbers<double>& delta, Index k, Index w) const {
    std::vector<PairValue> pairs(static_cast<std::size_t>(grid_side.target_pairs()));
    read_column<double>(rings.task, delta.data(), k, w, pairs.data());
    return pairs;
  }
  // The numbers of a column that are there, of Delta and as pairs.
  void expect_equal(const Numbers<double>& delta, const std::vector<PairValue>& pairs, Index k, Index w) const {
    Numbers<double> there(delta.size(), kNever), mine, cpu;
    write_column<double>(rings.task, pairs.data(), k, w, there.data());
    for (std::size_t i = 0; i < there.size(); ++i)
      if (there[i] != kNever) {
        mine.push_back(delta[i]);
        cpu.push_back(there[i]);
      }
    EXPECT_LT(distance(mine, cpu), 1e-14) << "m number " << k << ", w " << w;
  }

  RingTask rings;
  resample::CircleRings circle;
  resample::ThetaResampler source_side, grid_side;
  resample::ThetaQuadrature quadrature;
  SourceRings source;
  resample::ThetaResampler::Workspace resampling;
  resample::ThetaQuadrature::Workspace work;
};

// What DeviceQuadrature makes of Delta and of source rings.
struct QuadratureOnDevice {
  QuadratureOnDevice(const Quadrature& test, const Numbers<double>& delta, const Numbers<double>& from,
                     Index work_bytes)
      : rings(delta),
        source(static_cast<std::size_t>(test.source.delta_size()), std::nan("")),
        from_source(delta.size(), kNever) {
    const kernels::Stream stream;
    DeviceQuadrature<double> device(test.rings.task, test.quadrature, test::make_column_fft(), work_bytes, stream);
    auto delta_there = kernels::upload<std::complex<double>>(delta, stream);
    auto source_there = kernels::upload<std::complex<double>>(source, stream);
    device.rings_to_source(delta_there.data(), source_there.data(), stream);
    kernels::copy(source.data(), source_there.data(), source_there.size(), stream);
    device.rings_to_rings(delta_there.data(), stream);
    kernels::copy(rings.data(), delta_there.data(), delta_there.size(), stream);
    const auto from_there = kernels::upload<std::complex<double>>(from, stream);
    auto result = kernels::upload<std::complex<double>>(from_source, stream);
    device.source_to_rings(from_there.data(), result.data(), stream);
    kernels::copy(from_source.data(), result.data(), result.size(), stream);
    stream.wait();
  }
  Numbers<double> rings, source, from_source;
};

class DeviceQuadratureOfRules : public testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(Spins, DeviceQuadratureOfRules, testing::Values(0, 1, 2),
                         [](const auto& parameter) { return std::to_string(parameter.param); });

TEST_P(DeviceQuadratureOfRules, DoesWhatTheCpuDoes) {
  ARMILLA_NEEDS_DEVICE();
  // The Legendre stage has the degree of the rings, or in every second case a lower one.
  Index lmax = kRuleLmax;
  for (const Rule& rule : rules()) {
    SCOPED_TRACE(rule.name);
    Quadrature test(rule, GetParam(), lmax);
    lmax = lmax == kRuleLmax ? 23 : kRuleLmax;
    const auto delta = test.rings.random_delta<double>(kNever);
    const auto from = test::random_source(test.source);
    const QuadratureOnDevice device(test, delta, from, kMuch);
    for_each_column(test.rings.task, [&](Index k, Index w) {
      const bool pole = at_pole(test.rings.task, k);
      auto rings = test.read(delta, k, w);
      test.quadrature.rings_to_rings(test.parity(k), pole, rings.data(), test.work);
      test.expect_equal(device.rings, rings, k, w);

      Numbers<double> source(static_cast<std::size_t>(2 * test.source_side.source_pairs()));
      rings = test.read(delta, k, w);
      test.quadrature.rings_to_source(test.parity(k), pole, rings.data(), {source.data()}, test.work);
      EXPECT_LT(distance(test::source_column(test.source, device.source, k, w, true), source), 1e-14)
          << "m number " << k << ", w " << w;

      const auto column = test::source_column(test.source, from, k, w);
      test.quadrature.source_to_rings(test.parity(k), pole, {column.data()}, rings.data(), test.work);
      test.expect_equal(device.from_source, rings, k, w);
    });
    std::size_t there = 0;
    test.rings.for_each_delta([&](std::size_t, Index, Index, std::size_t) { ++there; });
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(device.rings, kNever)), delta.size() - there);
  }
}

TEST(DeviceQuadrature, GivesTheSameBitsInAnyChunk) {
  ARMILLA_NEEDS_DEVICE();
  Quadrature test(rules()[2], 2);
  const auto delta = test.rings.random_delta<double>(kNever);
  const auto from = test::random_source(test.source);
  const QuadratureOnDevice whole(test, delta, from, kMuch);
  const auto product = static_cast<Index>(test.quadrature.product().weights().size());
  const Index column = 16 * (product + 2 * std::max(test.grid_side.fine_pairs(), test.source_side.source_pairs()));
  const QuadratureOnDevice parts(test, delta, from, fft_columns(product) * column);
  EXPECT_EQ(whole.rings, parts.rings);
  EXPECT_EQ(whole.source, parts.source);
  EXPECT_EQ(whole.from_source, parts.from_source);
}

}  // namespace
}  // namespace armilla::backend
