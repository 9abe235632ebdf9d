// What transforms take of a device, against what is announced, and devices that are too small.
#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/transform/field_transform.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <kernels/core/device.hpp>
#include <support/device.hpp>
#include <support/device_limit.hpp>
#include <support/fields.hpp>

namespace armilla::transform {
namespace {

struct MemoryCase {
  grid::GridDescription grid;
  Index lmax;
  Index mmax;
  backend::ThetaResampling resampling;
};

std::vector<MemoryCase> memory_cases() {
  using enum backend::ThetaResampling;
  return {{{.kind = "gauss", .nlat = 65, .nphi = 130}, 64, 64, kOff},
          {{.kind = "gauss", .nlat = 34, .nphi = 20}, 33, 30, kOn},
          {{.kind = "healpix", .nside = 16}, 40, 40, kOn},
          {{.kind = "healpix", .nside = 16}, 40, 31, kOff},
          {{.kind = "equiangular", .rule = "mw", .nlat = 40, .nphi = 79}, 39, 39, kOff},
          {{.kind = "equiangular", .rule = "mw", .nlat = 40, .nphi = 79}, 39, 39, kOn},
          {{.kind = "octahedral", .nlat = 32}, 31, 31, kOff}};
}

FieldTransformSpec spec_of(const MemoryCase& one, const FieldKind& kind, int ranks, Index maps) {
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_grid(one.grid));
  auto spec = test::make_spec(kind, grid, alm::AlmLayout(one.lmax, one.mmax), ranks, maps);
  spec.backend = backend::Kind::kCuda;
  spec.options.theta_resampling = one.resampling;
  return spec;
}

template <class T>
Index fields_of(const FieldTransformSpec& spec, int rank) {
  return (spec.alm_memory<T>(rank) + spec.map_memory<T>(rank)).held();
}

TEST(DeviceMemory, IsEnoughForATransformAndLessIsRefused) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  for (const std::size_t number : {0, 2, 5}) {
    const MemoryCase one = memory_cases()[number];
    const auto spec = spec_of(one, FieldKind::temperature_polarisation(), comm.size(), 24);
    SCOPED_TRACE(spec.pixels->grid().description().text() + ", resampling " + name_of(one.resampling));
    const auto memory = FieldTransform<double>::device_memory(spec, comm.rank());
    Index needed = fields_of<double>(spec, comm.rank()) + memory.with_work(memory.min_work()).peak();
    comm.max(std::span<Index>(&needed, 1));
    {
      const test::DeviceLimit limit(comm, needed);
      FieldTransform<double> transform(comm, spec);
      AlmField<double> alm(spec.kind, spec.alm, comm.rank(), spec.maps);
      MapField<double> map(spec.kind, spec.pixels, comm.rank(), spec.maps);
      test::fill_noise(alm, 11);
      transform.synthesis(alm, map);
      transform.adjoint_synthesis(map, alm);
    }
    const test::DeviceLimit limit(comm, needed - 4096);
    try {
      FieldTransform<double> transform(comm, spec);
      FAIL() << "it took what is not there";
    } catch (const core::ResourceError& error) {
      for (const char* text : {"each rank may use ", "but needs ", "more ranks and GPUs", "backend: cpu"})
        EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  }
}

// Strictly: what is announced is never less than what a transform then takes. Every `stride`-th combination.
void expect_announced_memory(int stride) {
  const auto comm = comm::Communicator::world();
  int number = 0;
  for (const MemoryCase& one : memory_cases())
    for (const Index spin : {0, 1, 5})
      for (const Index work : {Index{16} << 20, Index{256} << 20}) {
        if (number++ % stride != 0) continue;
        auto spec = spec_of(one, test::kind_of_spin(spin), comm.size(), 3);
        SCOPED_TRACE(spec.pixels->grid().description().text() + ", spin " + std::to_string(spin) + ", resampling " +
                     name_of(one.resampling));
        const auto check = [&]<class T>(T) {
          const auto memory = FieldTransform<T>::device_memory(spec, comm.rank());
          spec.device_work = std::max(work, memory.min_work());
          const Index held = test::device_bytes_held(comm);
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
          const Index announced = fields_of<T>(spec, comm.rank()) + memory.with_work(*spec.device_work).peak();
          EXPECT_LE(peak, announced);
          EXPECT_GE(peak, announced / 3);
        };
        check(double{});
        if (spin == 1) check(float{});
      }
}

TEST(DeviceMemory, IsWhatTransformsTakeAtMost) {
  ARMILLA_NEEDS_DEVICE();
  expect_announced_memory(5);
}

TEST(DeviceMemorySweep, IsWhatTransformsTakeAtMost) {
  ARMILLA_NEEDS_DEVICE();
  expect_announced_memory(1);
}

}  // namespace
}  // namespace armilla::transform
