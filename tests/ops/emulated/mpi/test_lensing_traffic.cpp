// What a lens of one rank copies between host and device, and the device memory it takes.
#include <armilla/ops/deflection.hpp>
#include <armilla/ops/lensing.hpp>
#include <armilla/transform/field_transform.hpp>

#include <memory>
#include <utility>
#include <vector>

#include "ops/lens_case.hpp"
#include "support/emulation.hpp"
#include <gtest/gtest.h>
#include <kernels/core/device.hpp>
#include <kernels/core/emulation.hpp>

namespace armilla::ops {
namespace {

using transform::FieldKind;

constexpr Index kLmax = 40;
constexpr auto kCuda = backend::Kind::kCuda;

template <class T>
class LensTraffic : public testing::Test {
 protected:
  using Case = LensCase<T>;

  LensTraffic() : comm(comm::Communicator::self()) {}

  Case make_case(Index nside) const {
    Case run(comm, std::make_shared<grid::RingGrid>(grid::make_healpix(nside)), FieldKind::temperature_polarisation(),
             kLmax, kCuda);
    run.spec.device_work = Index{4} << 20;
    return run;
  }
  /// The deflection as the step makes it: by a synthesis, on the device.
  transform::MapField<T> synthesised(const Case& run) const {
    auto spec = test::make_spec(FieldKind::vector(), std::make_shared<grid::RingGrid>(run.pixels->grid()),
                                alm::AlmLayout(kLmax, kLmax), 1);
    spec.backend = kCuda;
    transform::FieldTransform<T> transform(comm, spec);
    transform::AlmField<T> alm(spec.kind, spec.alm, 0, 1);
    test::fill_noise(alm, 3);
    for (auto& x : alm.data()) x *= T(1e-3);
    auto vectors = run.make_map(spec.kind, 1);
    transform.synthesis(alm, vectors);
    EXPECT_EQ(vectors.memory()->space(), core::MemorySpace::kDevice);
    return vectors;
  }
  static Index bytes(Index values) { return values * static_cast<Index>(sizeof(T)); }

  comm::Communicator comm;
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(LensTraffic, Precisions);

/// More pixels cost no more copies than the tables of more rings.
TYPED_TEST(LensTraffic, LeavesAllPixelsThere) {
  struct Copied {
    std::size_t forward, adjoint;
  };
  const auto copied = [&](Index nside) {
    const auto run = this->make_case(nside);
    const auto vectors = this->synthesised(run);
    const auto alm = run.make_alm(2);
    auto lensed = run.make_map(run.kind, 2);
    auto back = run.make_alm(1);
    Copied made{};
    const std::size_t before = kernels::emulation().copied;
    EXPECT_GT(find_deflection_faults(this->comm, vectors, 0).longest, 0);
    Lens<TypeParam> lens(this->comm, vectors, 0, run.spec);
    lensed.overwrite(lens.memory());
    for (Index k = 0; k < 2; ++k) lens(alm, k, lensed, k);
    made.forward = kernels::emulation().copied - before;
    lens.adjoint(lensed, 1, backend::DualBuffer<double>(0), back, 0);
    made.adjoint = kernels::emulation().copied - before - made.forward;
    EXPECT_EQ(lensed.memory()->space(), core::MemorySpace::kDevice);
    EXPECT_EQ(vectors.memory()->space(), core::MemorySpace::kDevice);
    return made;
  };
  const Copied few = copied(32), many = copied(64);
  const auto component = static_cast<std::size_t>(this->bytes(12 * (64 * 64 - 32 * 32)));
  EXPECT_GT(few.forward, std::size_t{0});
  EXPECT_LT(many.forward - few.forward, component / 8);
  EXPECT_EQ(many.adjoint, few.adjoint);
}

TYPED_TEST(LensTraffic, DoesNotDependOnTheOrderOfThreads) {
  const auto lensed = [&](kernels::HostOrder order) {
    const test::Pretend pretend({.order = order});
    const auto run = this->make_case(8);
    Lens<TypeParam> lens(this->comm, run.vectors(1), 0, run.spec);
    auto made = run.make_map(run.kind, 1);
    lens(run.make_alm(1), 0, made, 0);
    const auto values = made.data();
    return std::vector<TypeParam>(values.begin(), values.end());
  };
  EXPECT_EQ(lensed(kernels::HostOrder::kAscending), lensed(kernels::HostOrder::kDescending));
}

TYPED_TEST(LensTraffic, TakesNoMoreMemoryThanAnnounced) {
  // Placing points takes the most, and the rows of the fine grid.
  for (const Index nside : {64, 8}) {
    SCOPED_TRACE(nside);
    const auto run = this->make_case(nside);
    const auto vectors = this->synthesised(run);
    const Index fields = transform::MapField<TypeParam>::memory(run.kind, *run.pixels, 0, 1).held();
    const Index coefficients = transform::AlmField<TypeParam>::memory(run.kind, *run.spec.alm, 0, 1).held();
    const Index announced =
        lens_device_memory<TypeParam>(run.spec, *run.pixels, 0).with_work(*run.spec.device_work).peak();
    const Index adjoint = lens_adjoint_device_bytes<TypeParam>(run.spec, *run.pixels, 0);
    const Index before = kernels::device_usage().held;
    backend::forget_device_peak();
    Lens<TypeParam> lens(this->comm, vectors, 0, run.spec);
    auto lensed = run.make_map(run.kind, 1);
    lens(run.make_alm(2), 1, lensed, 0);
    const Index taken = backend::peak_device_bytes() - before;
    EXPECT_LE(taken, announced + fields);
    EXPECT_GE(taken, (announced + fields) / 2);
    auto back = run.make_alm(1);
    lens.adjoint(lensed, 0, backend::DualBuffer<double>(0), back, 0);
    EXPECT_LE(backend::peak_device_bytes() - before, announced + fields + adjoint + coefficients);
    EXPECT_GT(backend::peak_device_bytes() - before, taken);
  }
}

}  // namespace
}  // namespace armilla::ops
