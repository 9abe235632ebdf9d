// The Legendre stage by segments on the device, or on the emulated one, against the reference engine.
#include <armilla/backend/cuda/segment_legendre.hpp>

#include <algorithm>
#include <vector>

#include "support/device.hpp"
#include "support/device_legendre.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

using namespace test;
using Segments = SegmentLegendre<double>;

// Few steps and many, fewer rings than a group and more, groups that are not full, m with gaps, mmax below lmax, and
// only rings next to the equator.
std::vector<LegendreCase> segment_cases() {
  return {{"constant", 0, gauss(4), {0}, 0, false},
          {"linear", 1, gauss(5), {0, 1}, 0, true},
          {"few_steps", 11, gauss(40), all_orders(11), 0, false},
          {"small", 47, gauss(49), all_orders(47), 5, true},
          {"healpix", 47, healpix(16), all_orders(30), 3, true},
          {"few_rings", 63, gauss(9), all_orders(63), 0, true},
          {"many_rings", 63, gauss(2200), {0, 1, 31, 63}, 7, false},
          {"middle", 383, gauss(387), {0, 1, 5, 100, 250, 300}, 0, true},
          {"groups", 383, gauss(1601), {0, 3, 200, 382, 383}, 7, true},
          {"equator", 100, {core::kPi / 2 - 1e-7, core::kPi / 2 - 1e-8, core::kPi / 2}, {0, 1, 60, 100}, 0, true}};
}

class SegmentLegendreCase : public testing::TestWithParam<LegendreParameters> {};
INSTANTIATE_TEST_SUITE_P(Sweep, SegmentLegendreCase,
                         testing::Combine(testing::ValuesIn(segment_cases()), testing::Values(0, 1, 2, 3),
                                          testing::Values(1, 2, 3, 8, 9)),
                         combination_name);

TEST_P(SegmentLegendreCase, EqualsTheReferenceEngine) {
  ARMILLA_NEEDS_DEVICE();
  const auto& [shape, spin, maps] = GetParam();
  RingTask rings(spin, std::max(shape.lmax, spin), shape.m, shape.theta, maps, shape.missing);
  if (shape.equator) rings.south.back() = -1;
  cut(rings, 30);
  expect_reference<Segments>(rings, Precision::kDouble, Products::kTensorCores);
}

TEST(SegmentLegendreSweep, GivesTheSameBitsAgainInAnyBatchAndInAnyPart) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index spin : {0, 2}) {
    expect_same_bits<1, Segments>(spin, Precision::kDouble, Products::kTensorCores);
    expect_same_bits<3, Segments>(spin, Precision::kDouble, Products::kTensorCores);
    expect_same_bits<5, Segments>(spin, Precision::kDouble, Products::kTensorCores);
    expect_same_bits<8, Segments>(spin, Precision::kDouble, Products::kTensorCores);
    expect_same_bits<9, Segments>(spin, Precision::kDouble, Products::kTensorCores);
  }
}

TEST(SegmentLegendreSweep, AdjointIsTheTransposeOfSynthesis) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index spin : {0, 1, 2, 3})
    for (const Index maps : {1, 4, 9}) expect_transposes<Segments>(spin, maps, Products::kTensorCores);
}

TEST(SegmentLegendreSweep, IsExactOnEveryRingAtHighDegrees) {
  ARMILLA_NEEDS_DEVICE();
  expect_exact_at_high_degrees<Segments>(Products::kTensorCores, {0, 1, 2, 3});
}

}  // namespace
}  // namespace armilla::backend
