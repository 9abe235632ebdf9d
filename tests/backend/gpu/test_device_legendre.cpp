// The Legendre stage by the scalar recurrence on the device, or on the emulated one, against the reference engine.
#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/pair_parts.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <string>
#include <vector>

#include "support/device.hpp"
#include "support/device_legendre.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

using namespace test;

std::vector<LegendreCase> scalar_cases() {
  return {{"tiny", 5, gauss(6), all_orders(5), 0, false},
          {"gauss", 130, gauss(132), all_orders(130), 0, false},
          {"odd", 127, gauss(129), all_orders(100), 0, true},
          {"healpix", 95, healpix(32), all_orders(95), 0, true},
          {"partial", 200, gauss(300), {0, 1, 2, 5, 77, 140, 199, 200}, 3, false},
          {"large", 511, gauss(514), {0, 1, 2, 3, 100, 333, 510, 511}, 0, false},
          {"many_rings", 383, gauss(2050), {0, 3, 200, 383}, 7, false}};
}

class DeviceLegendreCase : public testing::TestWithParam<LegendreParameters> {};
INSTANTIATE_TEST_SUITE_P(Cases, DeviceLegendreCase,
                         testing::ValuesIn(some_combinations(scalar_cases(), {0, 1, 2, 3}, {1, 2, 3, 5})),
                         combination_name);
INSTANTIATE_TEST_SUITE_P(Sweep, DeviceLegendreCase,
                         testing::Combine(testing::ValuesIn(scalar_cases()), testing::Values(0, 1, 2, 3),
                                          testing::Values(1, 2, 3, 5)),
                         combination_name);

// What is not there stays as it was, and what is there equals the reference to rounding.
TEST_P(DeviceLegendreCase, EqualsTheReferenceEngine) {
  ARMILLA_NEEDS_DEVICE();
  const auto& [shape, spin, maps] = GetParam();
  RingTask rings(spin, shape.lmax, shape.m, shape.theta, maps, shape.missing);
  if (shape.equator) rings.south.back() = -1;
  cut(rings, 30);
  for (const Precision sums : {Precision::kDouble, Precision::kSingle})
    expect_reference(rings, sums, Products::kCudaCores);
}

TEST(DeviceLegendre, GivesTheSameBitsAgainInAnyBatchAndInAnyPart) {
  ARMILLA_NEEDS_DEVICE();
  expect_same_bits<5>(0, Precision::kSingle, Products::kCudaCores);
  expect_same_bits<5>(2, Precision::kDouble, Products::kCudaCores);
}

TEST(DeviceLegendreSweep, GivesTheSameBitsAgainInAnyBatchAndInAnyPart) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index spin : {0, 2})
    for (const Precision sums : {Precision::kDouble, Precision::kSingle})
      expect_same_bits<5>(spin, sums, Products::kCudaCores);
}

TEST(DeviceLegendre, AdjointIsTheTransposeOfSynthesis) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index spin : {0, 1, 2, 3}) expect_transposes(spin, 3, Products::kCudaCores);
}

TEST(DeviceLegendre, SinglePrecisionLosesOnlyWhatItsNumbersDo) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index spin : {0, 2}) {
    RingTask rings(spin, 100, all_orders(100), gauss(102), 2);
    cut(rings, 30);
    const Index wigner = legendre::PairParts(rings.task).wigner;
    const auto alm = rings.random_alm<float>(0);
    const auto delta = rings.random_delta<float>(0);
    const OnDevice<float> single(rings, alm, delta);
    const OnDevice<double> both(rings, Numbers<double>(alm.begin(), alm.end()),
                                Numbers<double>(delta.begin(), delta.end()));
    rings.for_each_delta([&](std::size_t, Index pair, Index, std::size_t i) {
      if (pair < wigner) return;
      ASSERT_EQ(single.delta[i], std::complex<float>(both.delta[i]));
    });
    for (std::size_t i = 0; i < alm.size(); ++i) {
      if (std::isnan(both.alm[i].real())) continue;
      ASSERT_EQ(single.alm[i], std::complex<float>(both.alm[i]));
    }
  }
}

// Sums in float over short blocks, for a_lm as l^slope.
void expect_small_errors_of_short_sums(Index lmax, Index spin, double slope) {
  const std::vector<double> all = gauss(static_cast<int>(lmax + 1));
  std::vector<double> theta;
  for (std::size_t i = 0; i < all.size(); i += i < 32 || i + 200 > all.size() ? 4 : all.size() / 64)
    theta.push_back(all[i]);
  std::vector<Index> m;
  for (Index i = 0; i <= lmax; i += i < 4 ? 1 : lmax / 6) m.push_back(i);
  RingTask rings(spin, lmax, m, theta, 1);
  cut(rings, 100);
  const Index wigner = legendre::PairParts(rings.task).wigner;
  auto alm = rings.random_alm<double>(0);
  for (Index c = 0; c < rings.task.components; ++c)
    for (std::size_t k = 0; k < m.size(); ++k)
      for (Index l = m[k]; l <= lmax; ++l)
        rings.task.coefficients(alm.data(), static_cast<Index>(k), c, 0)[l] *=
            std::pow(static_cast<double>(l + 1), slope);
  auto delta = rings.random_delta<double>(0);
  rings.for_each_delta([&](std::size_t, Index pair, Index, std::size_t i) {
    if (pair < wigner) delta[i] = 0;
  });
  const OnDevice<double> device(rings, alm, delta, kWork, Precision::kSingle);
  Numbers<double> delta_expected(delta.size()), alm_expected(alm.size());
  const auto engine = legendre::make_reference_engine<double>(rings.task);
  engine->synthesis(alm.data(), delta_expected.data(), {});
  engine->adjoint(delta.data(), alm_expected.data(), {});
  const auto pairs = static_cast<std::size_t>(rings.task.pairs());
  std::vector<double> difference(pairs, 0.0), norm(pairs, 0.0);
  double all_difference = 0;
  double all_norm = 0;
  rings.for_each_delta([&](std::size_t, Index pair, Index, std::size_t i) {
    if (pair < wigner) return;
    difference[static_cast<std::size_t>(pair)] += std::norm(device.delta[i] - delta_expected[i]);
    norm[static_cast<std::size_t>(pair)] += std::norm(delta_expected[i]);
    all_difference += std::norm(device.delta[i] - delta_expected[i]);
    all_norm += std::norm(delta_expected[i]);
  });
  double worst = 0;
  for (auto p = static_cast<std::size_t>(wigner); p < pairs; ++p)
    worst = std::max(worst, std::sqrt(difference[p] / norm[p]));
  double alm_difference = 0;
  double alm_norm = 0;
  for (std::size_t i = 0; i < alm.size(); ++i) {
    if (std::isnan(device.alm[i].real())) continue;
    alm_difference += std::norm(device.alm[i] - alm_expected[i]);
    alm_norm += std::norm(alm_expected[i]);
  }
  const double synthesis = std::sqrt(all_difference / all_norm);
  const double adjoint = std::sqrt(alm_difference / alm_norm);
  EXPECT_LE(worst, kSingleTolerance);
  EXPECT_LE(synthesis, 0.5 * kSingleTolerance);
  EXPECT_LE(adjoint, 0.5 * kSingleTolerance);
  EXPECT_GE(synthesis, 1e-9);  // else nothing was summed in float
  EXPECT_GE(adjoint, 1e-9);
  std::printf("lmax %d, spin %d, a_lm as l^%g: relative rms %.2e, of the worst ring %.2e; of coefficients %.2e\n",
              static_cast<int>(lmax), static_cast<int>(spin), slope, synthesis, worst, adjoint);
}

// At high degrees and for steep spectra: what they lose does not grow with lmax.
TEST(DeviceLegendre, ShortSumsInFloatStayBelowOneMillionth) {
  ARMILLA_NEEDS_DEVICE();
  expect_small_errors_of_short_sums(2047, 0, -2);
  expect_small_errors_of_short_sums(2047, 2, 1);
}

TEST(DeviceLegendreSweep, ShortSumsInFloatStayBelowOneMillionth) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index lmax : {Index{2047}, Index{4095}, Index{8191}})
    for (const Index spin : {0, 2})
      for (const double slope : {-2.0, 0.0, 1.0}) expect_small_errors_of_short_sums(lmax, spin, slope);
}

TEST(DeviceLegendre, IsExactOnEveryRingAtHighDegrees) {
  ARMILLA_NEEDS_DEVICE();
  expect_exact_at_high_degrees(Products::kCudaCores, {0, 3});
}

TEST(DeviceLegendreSweep, IsExactOnEveryRingAtHighDegrees) {
  ARMILLA_NEEDS_DEVICE();
  expect_exact_at_high_degrees(Products::kCudaCores, {0, 1, 2, 3});
}

}  // namespace
}  // namespace armilla::backend
