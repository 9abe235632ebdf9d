// Operations between transforms, on fields that stand on the device, against the same on the host.
#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/alm_algebra.hpp>
#include <armilla/ops/map_algebra.hpp>
#include <armilla/ops/mask.hpp>
#include <armilla/ops/smooth.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>

#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <support/device.hpp>
#include <support/fields.hpp>
#include <support/mpi_main.hpp>

namespace armilla::ops {
namespace {

constexpr Index kMaps = 3;

/// The same factor for each component.
std::vector<double> each(const auto& field, double factor) {
  return std::vector<double>(core::at(field.kind().components()), factor);
}

template <class T>
class FieldOperations : public testing::Test {
 protected:
  using Alm = transform::AlmField<T>;
  using Map = transform::MapField<T>;

  FieldOperations()
      : comm(comm::Communicator::world()),
        spec(test::make_spec(transform::FieldKind::temperature_polarisation(),
                             std::make_shared<grid::RingGrid>(grid::make_healpix(8)), alm::AlmLayout(15, 12),
                             comm.size(), kMaps)) {
    spec.backend = backend::Kind::kCuda;
  }

  transform::FieldTransform<T> make_transform() { return {comm, spec}; }
  Alm make_alm(Index maps = kMaps) const { return {spec.kind, spec.alm, comm.rank(), maps}; }
  Map make_map(Index maps = kMaps) const { return {spec.kind, spec.pixels, comm.rank(), maps}; }
  static void fill(Map& map, std::uint64_t seed) {
    test::fill_map(map, [&](Index k, Index c, Index p) {
      return static_cast<T>(test::noise(seed, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * k + c)));
    });
  }

  // Coefficients that stand on the device and have the same on the host.
  std::pair<Alm, Alm> both(std::uint64_t seed) {
    auto transform = make_transform();
    Map map = make_map();
    fill(map, seed);
    std::pair<Alm, Alm> alm{make_alm(), make_alm()};
    test::poison(alm.first);
    transform.adjoint_synthesis(map, alm.first);
    std::ranges::copy(std::as_const(alm.first).data(), alm.second.data().begin());
    return alm;
  }

  // The operation leaves numbers where they stand, and gives the same ones to `tolerance` roundings of what they were
  // and are: none where both sides compute in double and round once, one or two for each factor and product else.
  template <class Operation>
  void expect_same(Operation&& operation, double tolerance) {
    auto [there, here] = both(7);
    const Alm before = both(7).second;
    operation(there);
    operation(here);
    EXPECT_EQ(there.memory()->space(), core::MemorySpace::kDevice);
    EXPECT_EQ(here.memory()->space(), core::MemorySpace::kHost);
    const auto found = std::as_const(there).data();
    const auto expected = std::as_const(here).data();
    Index changed = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_LE(std::abs(found[i] - expected[i]),
                tolerance * std::numeric_limits<T>::epsilon() * (std::abs(expected[i]) + std::abs(before.data()[i])));
      if (found[i] != before.data()[i]) ++changed;
    }
    EXPECT_TRUE(changed > 0 || found.empty());
  }

  comm::Communicator comm;
  transform::FieldTransformSpec spec;
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(FieldOperations, Precisions);

TYPED_TEST(FieldOperations, SmoothsOnTheDevice) {
  ARMILLA_NEEDS_DEVICE();
  this->expect_same([](auto& alm) { smooth(alm, 0.1); }, 0);
}

TYPED_TEST(FieldOperations, MultipliesComponentsByTheirWindowsOnTheDevice) {
  ARMILLA_NEEDS_DEVICE();
  std::vector<std::vector<double>> windows;
  for (const std::size_t length : {16u, 10u, 40u}) {
    windows.emplace_back();
    for (std::size_t l = 0; l < length; ++l) windows.back().push_back(1 / static_cast<double>(l + windows.size()));
  }
  this->expect_same([&](auto& alm) { multiply(alm, std::span<const std::vector<double>>(windows)); }, 0);
}

TYPED_TEST(FieldOperations, ScalesAndAddsOnTheDevice) {
  ARMILLA_NEEDS_DEVICE();
  this->expect_same([](auto& alm) { scale(alm, each(alm, 0.3)); }, 2);
  const auto other = this->both(11).second;
  this->expect_same([&](auto& alm) { add(alm, each(alm, 0.7), other, each(alm, 0.2)); }, 8);
  this->expect_same([](auto& alm) { add(alm, each(alm, 0.7), alm, each(alm, 0.2)); }, 4);
}

TYPED_TEST(FieldOperations, ArithmeticOfMapsStaysOnTheDevice) {
  ARMILLA_NEEDS_DEVICE();
  using T = TypeParam;
  auto transform = this->make_transform();
  const auto alm = this->both(5).first;
  auto there = this->make_map(), here = this->make_map(), other = this->make_map();
  this->fill(other, 13);
  test::poison(there);
  transform.synthesis(alm, there);
  std::ranges::copy(std::as_const(there).data(), here.data().begin());
  for (auto* map : {&there, &here}) {
    scale(*map, std::vector<double>{2, 3, 5});
    add(*map, each(*map, 0.5), other, each(*map, 0.25));
    multiply(*map, other);
  }
  EXPECT_EQ(there.memory()->space(), core::MemorySpace::kDevice);
  EXPECT_EQ(here.memory()->space(), core::MemorySpace::kHost);
  const auto found = std::as_const(there).data(), expected = std::as_const(here).data();
  // Four products and a sum, which a device may fuse.
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 8 * std::numeric_limits<T>::epsilon() * (1 + std::abs(expected[i])));
}

TYPED_TEST(FieldOperations, MasksOnTheDevice) {
  ARMILLA_NEEDS_DEVICE();
  using T = TypeParam;
  auto transform = this->make_transform();
  const auto alm = this->both(3).first;
  for (const Index mask_maps : {Index{1}, kMaps})
    for (const bool scalar : {true, false}) {
      transform::MapField<T> mask(scalar ? transform::FieldKind::scalar() : this->spec.kind, this->spec.pixels,
                                  this->comm.rank(), mask_maps);
      test::fill_map(mask, [&](Index k, Index c, Index p) {
        return (p + k + c) % 3 == 0 ? T{0} : static_cast<T>(1 / (1.0 + static_cast<double>((p + k + 2 * c) % 5)));
      });
      auto there = this->make_map();
      test::poison(there);
      transform.synthesis(alm, there);
      auto here = this->make_map();
      std::ranges::copy(std::as_const(there).data(), here.data().begin());
      apply_mask(there, mask);
      apply_mask(here, mask);
      EXPECT_EQ(there.memory()->space(), core::MemorySpace::kDevice);
      const auto found = std::as_const(there).data();
      const auto expected = std::as_const(here).data();
      Index zeros = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i], expected[i]);
        if (found[i] == T{0}) ++zeros;
      }
      EXPECT_TRUE(zeros > 0 || found.size() < 4);
    }
}

// The same bits as on the host, for sums have one order; and the fields stay where they are.
TYPED_TEST(FieldOperations, InnerProductsOnTheDeviceAreThoseOnTheHost) {
  ARMILLA_NEEDS_DEVICE();
  const auto a = this->both(5);
  const auto b = this->both(9);
  const auto found = inner_products(this->comm, a.first, b.first);
  const auto expected = inner_products(this->comm, a.second, b.second);
  EXPECT_EQ(a.first.memory()->space(), core::MemorySpace::kDevice);
  EXPECT_EQ(a.second.memory()->space(), core::MemorySpace::kHost);
  EXPECT_EQ(found, expected);
  ASSERT_EQ(found.size(), 2 * static_cast<std::size_t>(kMaps));
  for (const double product : found) EXPECT_NE(product, 0.0);
  EXPECT_EQ(inner_products(this->comm, a.first, b.second), expected);
  for (const double square : inner_products(this->comm, a.first, a.first)) EXPECT_GT(square, 0.0);
}

// Numbers of every magnitude, in rows of many lengths.
TYPED_TEST(FieldOperations, InnerProductsOfManyTermsHaveTheBitsOfTheHost) {
  ARMILLA_NEEDS_DEVICE();
  const auto transform = this->make_transform();
  const auto layout = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(150, 140), this->comm.size());
  const auto make = [&](std::uint64_t seed) {
    transform::AlmField<TypeParam> alm(this->spec.kind, layout, this->comm.rank(), 2);
    test::fill_noise(alm, seed);
    for (std::size_t i = 0; i < alm.data().size(); ++i)
      alm.data()[i] *= static_cast<TypeParam>(std::ldexp(1.0, static_cast<int>(i % 40) - 30));
    return alm;
  };
  const auto a = make(1);
  const auto b = make(2);
  const auto expected = inner_products(this->comm, a, b);
  a.read(transform.memory());
  b.read(transform.memory());
  EXPECT_EQ(a.memory()->space(), core::MemorySpace::kDevice);
  EXPECT_EQ(inner_products(this->comm, a, b), expected);
  EXPECT_EQ(inner_products(this->comm, b, a), expected);
}

// Pixels under a mask may be anything.
TYPED_TEST(FieldOperations, ZeroOfAMaskIsZeroOnTheDeviceWhateverStandsThere) {
  ARMILLA_NEEDS_DEVICE();
  using T = TypeParam;
  const auto transform = this->make_transform();
  auto map = this->make_map();
  transform::MapField<T> mask(transform::FieldKind::scalar(), this->spec.pixels, this->comm.rank(), 1);
  std::ranges::fill(mask.data(), T{0});
  std::ranges::fill(map.data(), std::numeric_limits<T>::quiet_NaN());
  map.read(transform.memory());
  apply_mask(map, mask);
  EXPECT_EQ(map.memory()->space(), core::MemorySpace::kDevice);
  for (const T value : std::as_const(map).data()) ASSERT_EQ(value, T{0});
}

}  // namespace
}  // namespace armilla::ops
