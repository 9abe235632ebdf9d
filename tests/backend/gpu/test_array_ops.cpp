// Arithmetic on arrays of the device, or of the emulated one, against that of the host.
#include <armilla/backend/context.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "support/device.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

constexpr Index kCount = 1000;

template <class T>
class ArrayOpsOf : public testing::Test {
 protected:
  /// y_ after op(memory, x, y) on copies of x_ and y_ in that memory.
  template <class Op>
  std::vector<T> run(const std::shared_ptr<Memory>& memory, const Op& op) const {
    const Index bytes = kCount * static_cast<Index>(sizeof(T));
    const auto x = memory->allocate(bytes);
    const auto y = memory->allocate(bytes);
    memory->from_host(x.get(), x_.data(), bytes);
    memory->from_host(y.get(), y_.data(), bytes);
    op(*memory, static_cast<const T*>(x.get()), static_cast<T*>(y.get()));
    std::vector<T> result(kCount);
    memory->to_host(result.data(), y.get(), bytes);
    return result;
  }
  template <class Op>
  void expect_equal(T tolerance, const Op& op) const {
    const auto host = run(host_memory(), op);
    const auto device = run(make_context<T>(Kind::kCuda, {})->memory(), op);
    EXPECT_NE(host, y_);
    for (std::size_t i = 0; i < host.size(); ++i) ASSERT_NEAR(device[i], host[i], tolerance) << i;
  }

  ArrayOpsOf() {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    for (T& value : x_) value = static_cast<T>(normal(random));
    for (T& value : y_) value = static_cast<T>(normal(random));
  }

  std::vector<T> x_ = std::vector<T>(kCount), y_ = std::vector<T>(kCount);
};

using ArrayPrecisions = testing::Types<float, double>;
TYPED_TEST_SUITE(ArrayOpsOf, ArrayPrecisions);

// Up to the rounding of a product that one of them fuses into the sum: numbers are below 10.
TYPED_TEST(ArrayOpsOf, CombineAsOnTheHost) {
  ARMILLA_NEEDS_DEVICE();
  this->expect_equal(20 * std::numeric_limits<TypeParam>::epsilon(), [](Memory& memory, const auto* x, auto* y) {
    memory.template ops<TypeParam>().combine(static_cast<TypeParam>(0.3), x, static_cast<TypeParam>(-0.7), y, kCount);
  });
}

TYPED_TEST(ArrayOpsOf, MultiplyAndMaskAsOnTheHost) {
  ARMILLA_NEEDS_DEVICE();
  this->expect_equal(
      0, [](Memory& memory, const auto* x, auto* y) { memory.template ops<TypeParam>().multiply(x, y, kCount); });
  this->x_[3] = 0;
  this->y_[3] = std::numeric_limits<TypeParam>::quiet_NaN();
  this->expect_equal(
      0, [](Memory& memory, const auto* x, auto* y) { memory.template ops<TypeParam>().mask(x, y, kCount); });
}

TYPED_TEST(ArrayOpsOf, MultiplyDegreesAsOnTheHost) {
  ARMILLA_NEEDS_DEVICE();
  const std::vector<Index> m{0, 3}, offset{0, 7};
  const std::vector<double> factors{1, 0.1, -0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
  this->expect_equal(0, [&](Memory& memory, const auto*, auto* y) {
    memory.template ops<TypeParam>().multiply_degrees({m, offset, 10, 2, 20}, factors,
                                                      reinterpret_cast<std::complex<TypeParam>*>(y));
  });
}

TYPED_TEST(ArrayOpsOf, SumProductsBitwiseAsOnTheHost) {
  ARMILLA_NEEDS_DEVICE();
  const std::vector<Index> begin{0, 100, 101}, length{100, 1, 399}, weight_begin{0, 500};
  std::vector<double> sums[2];
  int number = 0;
  for (const auto& one : {host_memory(), make_context<TypeParam>(Kind::kCuda, {})->memory()}) {
    auto& found = sums[number++];
    found.resize(6);
    this->run(one, [&](Memory& memory, const auto* x, auto* y) {
      memory.template ops<TypeParam>().sum_products({begin, length, 2, 500}, {x, weight_begin}, x, y, found);
    });
  }
  EXPECT_NE(sums[0][5], 0);
  EXPECT_EQ(sums[0], sums[1]);
}

// Two polar rings and one of 4 nside of a grid, with the orbits of quarters of 1, 2 and 3 pixels.
TYPED_TEST(ArrayOpsOf, MultiplyOrbitsAsOnTheHost) {
  ARMILLA_NEEDS_DEVICE();
  const std::vector<Index> begin{0, 4, 12, 24}, quarter{1, 2, 3}, shifted{1, 1, 0}, first{0, 1, 2};
  const std::vector<double> orbits{0.5, 0.25, -0.125, 0.0625};
  this->expect_equal(0, [&](Memory& memory, const auto*, auto* y) {
    const auto there = memory.allocate(8 * static_cast<Index>(orbits.size()));
    memory.from_host(there.get(), orbits.data(), 8 * static_cast<Index>(orbits.size()));
    memory.template ops<TypeParam>().multiply_orbits({begin, quarter, shifted, first, 2},
                                                     static_cast<const double*>(there.get()), y, y);
  });
}

}  // namespace
}  // namespace armilla::backend
