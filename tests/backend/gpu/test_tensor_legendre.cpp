// The Legendre stage by tensor cores, or by their twin on the emulated device.
#include <armilla/core/error.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "support/device.hpp"
#include "support/device_legendre.hpp"
#include <gtest/gtest.h>
#include <kernels/core/device.hpp>

namespace armilla::backend {
namespace {

using namespace test;

// More rings than m and fewer, more pairs than a block has, degrees that fill no step, no tile and no product, m with
// gaps.
std::vector<LegendreCase> tensor_cases() {
  return {{"constant", 0, gauss(4), {0}, 0, false},
          {"linear", 1, gauss(5), {0, 1}, 0, true},
          {"seven", 7, gauss(40), all_orders(7), 0, false},
          {"few_rings", 63, gauss(9), all_orders(63), 0, true},
          {"many_rings", 63, gauss(2200), {0, 1, 31, 63}, 7, false},
          {"healpix", 95, healpix(32), all_orders(95), 3, true},
          {"large", 383, gauss(384), {0, 1, 5, 100, 250, 382, 383}, 0, false}};
}

class TensorLegendreCase : public testing::TestWithParam<LegendreParameters> {};
INSTANTIATE_TEST_SUITE_P(Cases, TensorLegendreCase,
                         testing::ValuesIn(some_combinations(tensor_cases(), {0, 1, 2, 3},
                                                             {1, 2, 3, 4, 5, 6, 7, 8, 9, 16})),
                         combination_name);
INSTANTIATE_TEST_SUITE_P(Sweep, TensorLegendreCase,
                         testing::Combine(testing::ValuesIn(tensor_cases()), testing::Values(0, 1, 2, 3),
                                          testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 16)),
                         combination_name);

TEST_P(TensorLegendreCase, EqualsTheReferenceEngine) {
  ARMILLA_NEEDS_DEVICE();
  const auto& [shape, spin, maps] = GetParam();
  RingTask rings(spin, std::max(shape.lmax, spin), shape.m, shape.theta, maps, shape.missing);
  if (shape.equator) rings.south.back() = -1;
  cut(rings, 30);
  expect_reference(rings, Precision::kDouble, Products::kTensorCores);
}

TEST(TensorLegendre, GivesTheSameBitsAgainInAnyBatchAndInAnyPart) {
  ARMILLA_NEEDS_DEVICE();
  expect_same_bits<1>(2, Precision::kDouble, Products::kTensorCores);
  expect_same_bits<13>(0, Precision::kDouble, Products::kTensorCores);
}

TEST(TensorLegendreSweep, GivesTheSameBitsAgainInAnyBatchAndInAnyPart) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index spin : {0, 2}) {
    expect_same_bits<1>(spin, Precision::kDouble, Products::kTensorCores);
    expect_same_bits<8>(spin, Precision::kDouble, Products::kTensorCores);
    expect_same_bits<13>(spin, Precision::kDouble, Products::kTensorCores);
  }
}

TEST(TensorLegendre, AdjointIsTheTransposeOfSynthesis) {
  ARMILLA_NEEDS_DEVICE();
  for (const auto& [spin, maps] : {std::pair<Index, Index>{0, 9}, {1, 4}, {2, 1}, {3, 1}})
    expect_transposes(spin, maps, Products::kTensorCores);
}

TEST(TensorLegendreSweep, AdjointIsTheTransposeOfSynthesis) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index spin : {0, 1, 2, 3})
    for (const Index maps : {1, 4, 9}) expect_transposes(spin, maps, Products::kTensorCores);
}

TEST(TensorLegendre, IsExactOnEveryRingAtHighDegrees) {
  ARMILLA_NEEDS_DEVICE();
  expect_exact_at_high_degrees(Products::kTensorCores, {0, 2});
}

TEST(TensorLegendreSweep, IsExactOnEveryRingAtHighDegrees) {
  ARMILLA_NEEDS_DEVICE();
  expect_exact_at_high_degrees(Products::kTensorCores, {0, 1, 2, 3});
}

// Whatever the number of maps. Adjoints tell by their bits, for the two kernels sum over pairs in different orders.
TEST(TensorLegendre, IsTakenForCampaignsWhereTheDeviceHasTensorCores) {
  ARMILLA_NEEDS_DEVICE();
  for (const auto& [spin, maps, campaign, sums, tensor] : {std::tuple{0, 1, false, Precision::kDouble, false},
                                                           {0, 8, false, Precision::kDouble, false},
                                                           {0, 1, true, Precision::kDouble, true},
                                                           {0, 4, true, Precision::kDouble, true},
                                                           {2, 1, false, Precision::kDouble, false},
                                                           {2, 1, true, Precision::kDouble, true},
                                                           {0, 8, true, Precision::kSingle, false}}) {
    RingTask rings(spin, 200, {0, 1, 50, 150}, gauss(202), maps);
    rings.task.allow_tensor_cores = campaign;
    const auto alm = rings.random_alm<double>(0);
    const auto delta = rings.random_delta<double>(0);
    const auto adjoint = [&](Products products) {
      return OnDevice<double>(rings, alm, delta, kWork, sums, products).alm;
    };
    const auto same = [](const Numbers<double>& a, const Numbers<double>& b) {
      return std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
    };
    const bool taken = tensor && kernels::has_tensor_cores();
    const auto by_batch = adjoint(Products::kByTask);
    EXPECT_EQ(same(by_batch, adjoint(Products::kCudaCores)), !taken) << "spin " << spin << ", " << maps << " maps";
    if (taken) {
      EXPECT_TRUE(same(by_batch, adjoint(Products::kTensorCores))) << "spin " << spin << ", " << maps << " maps";
    }
  }
}

TEST(TensorLegendre, HasNoSumsInFloat) {
  const RingTask rings(0, 20, {0}, gauss(22), 8);
  EXPECT_THROW(ScalarStageShape(rings.task, Precision::kSingle, Products::kTensorCores), core::InternalError);
}

}  // namespace
}  // namespace armilla::backend
