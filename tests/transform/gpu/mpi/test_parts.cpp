// Transforms in parts of m and rings, for devices that are too small, against the same done whole.
#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/transform/device_demand.hpp>
#include <armilla/transform/field_transform.hpp>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <kernels/core/device.hpp>
#include <support/device.hpp>
#include <support/device_limit.hpp>
#include <support/distance.hpp>
#include <support/fields.hpp>

namespace armilla::transform {
namespace {

constexpr Index kWork = Index{64} << 20;

struct Case {
  grid::GridDescription grid;
  Index lmax;
  Index mmax;
  backend::ThetaResampling resampling;
};

std::vector<Case> cases() {
  using enum backend::ThetaResampling;
  return {{{.kind = "gauss", .nlat = 65, .nphi = 130}, 64, 64, kOff},
          {{.kind = "gauss", .nlat = 34, .nphi = 20}, 33, 30, kOn},
          {{.kind = "healpix", .nside = 16}, 40, 40, kOn},
          {{.kind = "healpix", .nside = 16}, 40, 31, kOff},
          {{.kind = "equiangular", .rule = "mw", .nlat = 40, .nphi = 79}, 39, 39, kOff},
          {{.kind = "equiangular", .rule = "mw", .nlat = 40, .nphi = 79}, 39, 39, kOn},
          {{.kind = "octahedral", .nlat = 32}, 31, 31, kOff}};
}

FieldTransformSpec spec_of(const Case& one, const FieldKind& kind, int ranks, Index maps) {
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_grid(one.grid));
  auto spec = test::make_spec(kind, grid, alm::AlmLayout(one.lmax, one.mmax), ranks, maps);
  spec.backend = "cuda";
  spec.options.theta_resampling = one.resampling;
  return spec;
}

// The most that a rank needs; it cannot be cut finer than with this room.
template <class T>
Index least_room(const comm::Communicator& comm, const FieldTransformSpec& spec) {
  const DeviceDemand demand = device_demand<T>(spec, comm.rank());
  Index room = demand.in_parts(demand.least_work());
  comm.max(std::span<Index>(&room, 1));
  return room;
}

template <class Numbers>
bool same_bits(const Numbers& a, const Numbers& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// What all transforms of a field give.
template <class T>
struct Results {
  std::vector<MapField<T>> maps;
  std::vector<AlmField<T>> alms;
};

template <class T>
Results<T> all_transforms(const comm::Communicator& comm, FieldTransform<T>& transform) {
  const FieldTransformSpec& spec = transform.spec();
  AlmField<T> alm(spec.kind, spec.alm, comm.rank(), spec.maps);
  MapField<T> map(spec.kind, spec.pixels, comm.rank(), spec.maps);
  test::fill_noise(alm, 11);
  test::fill_map(map, [](Index k, Index c, Index p) {
    return test::noise(12, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * k + c));
  });
  Results<T> results;
  const auto to_map = [&](auto&& run) {
    MapField<T>& made = results.maps.emplace_back(spec.kind, spec.pixels, comm.rank(), spec.maps);
    test::poison(made);
    run(alm, made);
  };
  const auto to_alm = [&](auto&& run) {
    AlmField<T>& made = results.alms.emplace_back(spec.kind, spec.alm, comm.rank(), spec.maps);
    test::poison(made);
    run(map, made);
  };
  to_map([&](const auto& in, auto& out) { transform.synthesis(in, out); });
  to_alm([&](const auto& in, auto& out) { transform.adjoint_synthesis(in, out); });
  if (!spec.pixels->grid().has_weights()) return results;
  to_alm([&](const auto& in, auto& out) { transform.quadrature(in, out); });
  to_map([&](const auto& in, auto& out) { transform.adjoint_quadrature(in, out); });
  return results;
}

// Working space decides how many columns cuFFT transforms at once in theta, and with another number it may sum in
// another order: then results agree to roundings, of which a transform has some tens.
bool has_fft_in_theta(const FieldTransformSpec& spec) {
  return spec.resampled() || spec.pixels->grid().description().kind == "equiangular";
}

template <class T>
void expect_same(const comm::Communicator& comm, const FieldTransformSpec& spec, Results<T>& a, Results<T>& b) {
  ASSERT_EQ(a.maps.size(), b.maps.size());
  const auto expect = [&](auto& x, auto& y, std::size_t i) {
    if (has_fft_in_theta(spec))
      EXPECT_LE(test::distance(comm, x, y), 100 * std::numeric_limits<T>::epsilon()) << i;
    else
      EXPECT_TRUE(same_bits(x.data(), y.data())) << i;
  };
  for (std::size_t i = 0; i < a.maps.size(); ++i) expect(a.maps[i], b.maps[i], i);
  for (std::size_t i = 0; i < a.alms.size(); ++i) expect(a.alms[i], b.alms[i], i);
}

// In parts of one m, or one pair of rings, and of several.
template <class T>
void expect_same_in_parts(const comm::Communicator& comm, FieldTransformSpec spec) {
  spec.device_use = backend::DeviceUse{.whole = true, .work_bytes = kWork, .room = 0};
  Results<T> whole;
  {
    FieldTransform<T> transform(comm, spec);
    whole = all_transforms(comm, transform);
  }
  for (auto& map : whole.maps) map.data();  // leaves no field on the device but as a copy
  const DeviceDemand demand = device_demand<T>(spec, comm.rank());
  for (const Index more : {0, 20}) {
    const Index room = least_room<T>(comm, spec) * (100 + more) / 100;
    spec.device_use = backend::DeviceUse{.whole = false, .work_bytes = demand.least_work(), .room = room};
    FieldTransform<T> transform(comm, spec);
    ASSERT_FALSE(transform.device_use()->whole);
    const Index held = kernels::device_usage().held;
    kernels::forget_peak();
    Results<T> parts = all_transforms(comm, transform);
    EXPECT_LE(kernels::device_usage().peak - held, room);
    EXPECT_EQ(kernels::device_usage().held, held) << "something stays on the device";
    expect_same(comm, spec, parts, whole);
  }
}

TEST(Parts, GiveTheResultsOfTheWholeOnEveryKindOfGrid) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  for (const Case& one : cases())
    for (const Index spin : {0, 2, 5}) {
      if (comm.size() > 1 && spin == 5) continue;
      const auto spec = spec_of(one, test::kind_of_spin(spin), comm.size(), 2);
      SCOPED_TRACE(spec.pixels->grid().description().text() + ", spin " + std::to_string(spin) + ", resampling " +
                   name_of(one.resampling));
      expect_same_in_parts<double>(comm, spec);
      if (spin == 2) expect_same_in_parts<float>(comm, spec);
    }
}

// So many that the arrays are larger than tables and working space.
TEST(Parts, GiveTheResultsOfTheWholeWithManyMapsOfSeveralSpins) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  for (const std::size_t number : {0, 2, 5}) {
    const Case one = cases()[number];
    const auto spec = spec_of(one, FieldKind::temperature_polarisation(), comm.size(), 40);
    SCOPED_TRACE(spec.pixels->grid().description().text() + ", resampling " + name_of(one.resampling));
    expect_same_in_parts<double>(comm, spec);
  }
}

TEST(Parts, GiveTheResultsOfTheWholeOnAPartOfTheSky) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<grid::RingGrid>(
      grid::make_part({.kind = "healpix", .nside = 16}, {.theta = grid::ThetaRange{0.4, 1.1}}));
  auto spec = test::make_spec(test::kind_of_spin(2), grid, alm::AlmLayout(40, 40), comm.size(), 3);
  spec.backend = "cuda";
  expect_same_in_parts<double>(comm, spec);
}

TEST(Parts, AreTakenWhereTheDeviceIsTooSmall) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  for (const std::size_t number : {0, 2, 5}) {
    const Case one = cases()[number];
    const auto spec = spec_of(one, FieldKind::temperature_polarisation(), comm.size(), 24);
    SCOPED_TRACE(spec.pixels->grid().description().text() + ", resampling " + name_of(one.resampling));
    const DeviceDemand demand = device_demand<double>(spec, comm.rank());
    Index fits = demand.alm + demand.map + demand.whole(demand.least_work());
    comm.max(std::span<Index>(&fits, 1));
    Results<double> whole;
    {
      const test::DeviceLimit limit(comm, fits);
      FieldTransform<double> transform(comm, spec);
      EXPECT_TRUE(transform.device_use()->whole);
      kernels::limit_device_memory(-1);  // for the fields of this test, of which there are more
      whole = all_transforms(comm, transform);
    }
    const Index least = least_room<double>(comm, spec);
    ASSERT_LT(least, fits * 9 / 10);
    {
      const test::DeviceLimit limit(comm, std::max(least, fits * 9 / 10));
      FieldTransform<double> transform(comm, spec);
      EXPECT_FALSE(transform.device_use()->whole);
      Results<double> parts = all_transforms(comm, transform);
      expect_same(comm, spec, parts, whole);
    }
    {
      const test::DeviceLimit limit(comm, least - 4096);
      try {
        FieldTransform<double> transform(comm, spec);
        FAIL() << "it took what is not there";
      } catch (const core::ResourceError& error) {
        EXPECT_NE(std::string(error.what()).find("even in parts of m and rings"), std::string::npos) << error.what();
      }
    }
  }
}

TEST(Parts, SayHowMuchTheyNeedWhereTheirRoomIsTooSmall) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  auto spec = spec_of(cases().front(), test::kind_of_spin(0), comm.size(), 1);
  spec.device_use = backend::DeviceUse{.whole = false, .work_bytes = kWork, .room = 1000};
  try {
    FieldTransform<double> transform(comm, spec);
    FAIL() << "a device of 1000 bytes was enough";
  } catch (const core::ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("in parts takes"), std::string::npos) << error.what();
  }
}

// Strictly: what is announced is never less than what a transform then takes.
TEST(DeviceDemand, IsWhatTransformsTakeAtMost) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  for (const Case& one : cases())
    for (const Index spin : {0, 1, 5})
      for (const Index work : {Index{16} << 20, Index{256} << 20}) {
        auto spec = spec_of(one, test::kind_of_spin(spin), comm.size(), 3);
        SCOPED_TRACE(spec.pixels->grid().description().text() + ", spin " + std::to_string(spin) + ", resampling " +
                     name_of(one.resampling));
        const auto check = [&]<class T>(T) {
          const DeviceDemand demand = device_demand<T>(spec, comm.rank());
          spec.device_use =
              backend::DeviceUse{.whole = true, .work_bytes = std::max(work, demand.least_work()), .room = 0};
          const Index held = kernels::device_usage().held;
          kernels::forget_peak();
          {
            FieldTransform<T> transform(comm, spec);
            AlmField<T> alm(spec.kind, spec.alm, comm.rank(), spec.maps);
            MapField<T> map(spec.kind, spec.pixels, comm.rank(), spec.maps);
            test::fill_noise(alm, 11);
            transform.synthesis(alm, map);
            transform.adjoint_synthesis(map, alm);
            if (spec.pixels->grid().has_weights()) transform.quadrature(map, alm);
          }
          const Index peak = kernels::device_usage().peak - held;
          const Index announced = demand.alm + demand.map + demand.whole(spec.device_use->work_bytes);
          EXPECT_LE(peak, announced);
          EXPECT_GE(peak, announced / 3);
        };
        check(double{});
        if (spin == 1) check(float{});
      }
}

}  // namespace
}  // namespace armilla::transform
