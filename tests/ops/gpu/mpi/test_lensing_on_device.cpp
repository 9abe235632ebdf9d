// Lensing on the device against the CPU. A single rank leaves maps there.
#include <armilla/ops/deflection.hpp>
#include <armilla/ops/lensing.hpp>
#include <armilla/transform/device_work.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ops/lens_case.hpp"
#include "support/device.hpp"
#include "support/distance.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using core::at;
using transform::FieldKind;

constexpr auto kCpu = backend::Kind::kCpu, kCuda = backend::Kind::kCuda;

template <class T>
class LensOnDevice : public testing::Test {
 protected:
  using Map = transform::MapField<T>;
  using Alm = transform::AlmField<T>;

  /// Rounding of sums over windows, as for points.
  static constexpr double kTolerance = sizeof(T) == 4 ? 1e-6 : 1e-13;

  comm::Communicator comm = comm::Communicator::world();
  core::MemorySpace where() const { return comm.size() == 1 ? core::MemorySpace::kDevice : core::MemorySpace::kHost; }

  /// Two maps of values and of coefficients, each made from the other one of two.
  struct Results {
    Map lensed;
    Alm back;
  };
  Results results_of(const LensCase<T>& run) const {
    const Map vectors = run.vectors(2);
    Results made{run.make_map(run.kind, 2), run.make_alm(2)};
    test::poison(made.lensed);
    test::poison(made.back);
    auto map = run.make_map(run.kind, 2);
    test::fill_map(map, [](Index k, Index c, Index p) { return test::noise(9, at(p), at(2 * c + k)); });
    backend::DualBuffer<double> factors(map.local_size());
    for (std::size_t i = 0; i < at(map.local_size()); ++i) factors.host()[i] = 0.5 + 0.1 * static_cast<double>(i % 7);
    for (Index k = 0; k < 2; ++k) {
      Lens<T> lens(run.comm, vectors, k, run.spec);
      lens(run.make_alm(2), 1 - k, made.lensed, k);
      lens.adjoint(map, k, k == 0 ? backend::DualBuffer<double>(0) : std::move(factors), made.back, 1 - k);
      EXPECT_EQ(made.lensed.memory()->space(), run.spec.backend == kCpu ? core::MemorySpace::kHost : this->where());
    }
    return made;
  }
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(LensOnDevice, Precisions);

TYPED_TEST(LensOnDevice, AgreesWithTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  for (const auto& grid : lens_grids()) {
    SCOPED_TRACE(grid->description().text());
    const FieldKind kind = grid->has_weights() ? FieldKind::temperature_polarisation() : FieldKind::spin(3);
    const auto cpu = this->results_of(LensCase<TypeParam>(this->comm, grid, kind, 30, kCpu));
    const auto device = this->results_of(LensCase<TypeParam>(this->comm, grid, kind, 30, kCuda));
    EXPECT_LE(test::distance(this->comm, device.lensed, cpu.lensed), this->kTolerance);
    EXPECT_LE(test::distance(this->comm, device.back, cpu.back), this->kTolerance);
  }
}

/// Each component alone: values of polarisation are not hidden by those of temperature, nor few pixels by many.
TYPED_TEST(LensOnDevice, RotatesValuesAtEveryPixel) {
  ARMILLA_NEEDS_DEVICE();
  const auto grid = lens_grids()[1];  // with rings at the poles
  const FieldKind kind = FieldKind::temperature_polarisation();
  const auto cpu = this->results_of(LensCase<TypeParam>(this->comm, grid, kind, 30, kCpu));
  const auto device = this->results_of(LensCase<TypeParam>(this->comm, grid, kind, 30, kCuda));
  for (Index k = 0; k < 2; ++k)
    for (Index c = 0; c < 3; ++c) {
      const std::span<const TypeParam> found = device.lensed.component(k, c), expected = cpu.lensed.component(k, c);
      double largest = 0;
      for (const TypeParam x : expected) largest = std::max(largest, std::abs(static_cast<double>(x)));
      for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_NEAR(static_cast<double>(found[i]), static_cast<double>(expected[i]), 10 * this->kTolerance * largest);
    }
}

TYPED_TEST(LensOnDevice, IsBitwiseIdenticalInTwoRuns) {
  ARMILLA_NEEDS_DEVICE();
  const auto results = [&] {
    return this->results_of(
        LensCase<TypeParam>(this->comm, lens_grids()[0], FieldKind::temperature_polarisation(), 20, kCuda));
  };
  const auto first = results(), second = results();
  EXPECT_TRUE(std::ranges::equal(first.lensed.data(), second.lensed.data()));
  EXPECT_TRUE(std::ranges::equal(first.back.data(), second.back.data()));
}

/// Bit by bit, so that values do not depend on whether one rank or several displace the pixels.
TYPED_TEST(LensOnDevice, DisplacesPixelsAsTheHost) {
  ARMILLA_NEEDS_DEVICE();
  using T = TypeParam;
  if (this->comm.size() > 1) return;
  for (const auto& grid : lens_grids()) {
    const LensCase<T> run(this->comm, grid, FieldKind::scalar(), 10, kCuda);
    const auto vectors = run.vectors(1);
    const Pointing expected = displace(vectors, 0);
    std::vector<Index> begin;
    std::vector<kernels::MapRing> rings;
    for (const grid::Ring& ring : grid->rings()) {
      begin.push_back(ring.first_pixel);
      rings.push_back({ring.theta, ring.sin_theta, ring.cos_theta, ring.phi0, ring.nphi});
    }
    begin.push_back(grid->npix());
    const auto memory = backend::make_context<T>(kCuda, backend::Placement())->memory();
    const Index count = grid->npix();
    const auto angles = std::static_pointer_cast<double>(memory->allocate(3 * count * Index{sizeof(double)}));
    const T* south = vectors.read(memory);
    memory->template ops<T>().displace({begin, rings.data()}, south, south + count, angles.get(), angles.get() + count,
                                       angles.get() + 2 * count);
    std::vector<double> found(at(3 * count));
    memory->to_host(found.data(), angles.get(), 3 * count * Index{sizeof(double)});
    const auto part = [&](Index i) { return std::span(found).subspan(at(i * count), at(count)); };
    EXPECT_TRUE(std::ranges::equal(part(0), expected.theta));
    EXPECT_TRUE(std::ranges::equal(part(1), expected.phi));
    EXPECT_TRUE(std::ranges::equal(part(2), expected.gamma));
  }
}

TYPED_TEST(LensOnDevice, FindsTheFaultsOfDeflections) {
  ARMILLA_NEEDS_DEVICE();
  using T = TypeParam;
  const LensCase<T> run(this->comm, lens_grids()[0], FieldKind::scalar(), 10, kCuda);
  const auto memory = backend::make_context<T>(kCuda, transform::placement(this->comm, kCuda))->memory();
  for (const FieldKind& kind : {FieldKind::vector(), magnification_kind()}) {
    auto vectors = run.make_map(kind, 2);
    test::fill_map(vectors, [](Index k, Index c, Index p) {
      return c == 2 ? test::noise(3, at(p), at(k)) + 0.9 : 3 * test::noise(4, at(p), at(2 * k + c));
    });
    for (Index k = 0; k < 2; ++k) {
      const DeflectionFaults expected = find_deflection_faults(this->comm, vectors, k);
      EXPECT_GT(expected.too_long, 0);
      EXPECT_EQ(expected.folded > 0, kind.components() == 3);
      auto there = run.make_map(kind, 2);
      std::ranges::copy(std::as_const(vectors).data(), there.data().begin());
      there.update(memory);
      const DeflectionFaults found = find_deflection_faults(this->comm, there, k);
      EXPECT_EQ(there.memory()->space(), core::MemorySpace::kDevice);
      EXPECT_EQ(found.too_long, expected.too_long);
      EXPECT_EQ(found.longest, expected.longest);
      EXPECT_EQ(found.folded, expected.folded);
      EXPECT_EQ(found.least, expected.least);
    }
  }
}

}  // namespace
}  // namespace armilla::ops
