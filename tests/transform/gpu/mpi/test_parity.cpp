// The CUDA backend against the CPU's, whole transforms, on any number of ranks that share the devices.
#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/transform/field_transform.hpp>

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <support/device.hpp>
#include <support/distance.hpp>
#include <support/fields.hpp>
#include <support/mpi_main.hpp>

namespace armilla::transform {
namespace {

struct ParityCase {
  grid::GridDescription grid;
  Index lmax;
  Index mmax;
};

std::vector<ParityCase> parity_cases() {
  return {{{.kind = "gauss", .nlat = 65, .nphi = 130}, 64, 64},
          {{.kind = "gauss", .nlat = 34, .nphi = 20}, 33, 30},
          {{.kind = "healpix", .nside = 16}, 40, 40},
          {{.kind = "healpix", .nside = 12}, 23, 20},
          {{.kind = "equiangular", .rule = "cc", .nlat = 66, .nphi = 128}, 64, 64},
          {{.kind = "equiangular", .rule = "mw", .nlat = 40, .nphi = 79}, 39, 39},
          {{.kind = "equiangular", .rule = "dh", .nlat = 44, .nphi = 60}, 24, 20},
          {{.kind = "reduced_gauss", .nlat = 48}, 40, 40},
          {{.kind = "octahedral", .nlat = 32}, 31, 31}};
}

template <class T>
void expect_parity(const comm::Communicator& comm, const FieldTransformSpec& on_cpu, double tolerance) {
  FieldTransformSpec on_gpu = on_cpu;
  on_gpu.backend = backend::Kind::kCuda;
  FieldTransform<T> cpu(comm, on_cpu);
  FieldTransform<T> gpu(comm, on_gpu);
  ASSERT_EQ(gpu.backend(), backend::Kind::kCuda);
  const auto& kind = on_cpu.kind;
  AlmField<T> alm(kind, on_cpu.alm, comm.rank(), on_cpu.maps);
  AlmField<T> other_alm(kind, on_cpu.alm, comm.rank(), on_cpu.maps);
  MapField<T> map(kind, on_cpu.pixels, comm.rank(), on_cpu.maps);
  MapField<T> other_map(kind, on_cpu.pixels, comm.rank(), on_cpu.maps);
  const auto compare_maps = [&](auto&& transform) {
    test::fill_noise(alm, 11);
    test::poison(map);
    test::poison(other_map);
    transform(cpu, alm, map);
    transform(gpu, alm, other_map);
    EXPECT_LE(test::distance(comm, other_map, map), tolerance);
  };
  const auto compare_coefficients = [&](auto&& transform) {
    test::fill_map(map, [](Index k, Index c, Index p) {
      return test::noise(12, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * k + c));
    });
    test::poison(alm);
    test::poison(other_alm);
    transform(cpu, map, alm);
    transform(gpu, map, other_alm);
    EXPECT_LE(test::distance(comm, other_alm, alm), tolerance);
  };
  compare_maps([](auto& transform, const auto& in, auto& out) { transform.synthesis(in, out); });
  compare_coefficients([](auto& transform, const auto& in, auto& out) { transform.adjoint_synthesis(in, out); });
  if (!on_cpu.pixels->grid().has_weights()) return;
  compare_coefficients([](auto& transform, const auto& in, auto& out) { transform.quadrature(in, out); });
  compare_maps([](auto& transform, const auto& in, auto& out) { transform.adjoint_quadrature(in, out); });
}

// Every `stride`-th combination; a stride that divides no number of values meets each of them. Tolerance: 1e-12 of rms,
// some thousand roundings of random sign; 1e-6 in single precision.
void expect_parity_of_combinations(int stride) {
  const auto comm = comm::Communicator::world();
  int number = 0;
  for (const ParityCase& one : parity_cases())
    for (const Index spin : {0, 1, 2, 3, 5})
      for (const Index maps : {1, 3})
        for (const auto resampling : {backend::ThetaResampling::kOff, backend::ThetaResampling::kOn}) {
          // What differs on several ranks is the exchange: one choice of each will do.
          if (comm.size() > 1 && (spin % 2 == 1 || maps == 1)) continue;
          if (number++ % stride != 0) continue;
          const auto grid = std::make_shared<grid::RingGrid>(grid::make_grid(one.grid));
          SCOPED_TRACE(grid->description().text() + ", spin " + std::to_string(spin) + ", maps " +
                       std::to_string(maps) + ", resampling " + name_of(resampling));
          auto spec =
              test::make_spec(test::kind_of_spin(spin), grid, alm::AlmLayout(one.lmax, one.mmax), comm.size(), maps);
          spec.backend = backend::Kind::kCpu;
          spec.options.theta_resampling = resampling;
          expect_parity<double>(comm, spec, 1e-12);
          if (maps == 1) expect_parity<float>(comm, spec, 1e-6);
        }
}

TEST(CudaBackend, AgreesWithTheCpuOnEveryGridAndSpin) {
  ARMILLA_NEEDS_DEVICE();
  expect_parity_of_combinations(comm::Communicator::world().size() == 1 ? 7 : 3);
}

TEST(CudaBackendSweep, AgreesWithTheCpuOnEveryGridAndSpin) {
  ARMILLA_NEEDS_DEVICE();
  expect_parity_of_combinations(1);
}

TEST(CudaBackend, AgreesOnPartsOfTheSky) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  for (const Index spin : {0, 2}) {
    const auto grid = std::make_shared<grid::RingGrid>(
        grid::make_part({.kind = "healpix", .nside = 16}, {.theta = grid::ThetaRange{0.4, 1.1}}));
    auto spec = test::make_spec(test::kind_of_spin(spin), grid, alm::AlmLayout(40, 40), comm.size(), 2);
    spec.backend = backend::Kind::kCpu;
    expect_parity<double>(comm, spec, 1e-12);
  }
}

TEST(CudaBackend, TakesMixturesOfSpinsThroughOneExchange) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(16));
  auto spec = test::make_spec(FieldKind::temperature_polarisation(), grid, alm::AlmLayout(32, 32), comm.size(), 2);
  spec.backend = backend::Kind::kCpu;
  expect_parity<double>(comm, spec, 1e-12);
}

// Bit for bit: nothing on the device depends on the order in which threads come.
TEST(CudaBackend, GivesTheSameBitsAgain) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(16));
  auto spec = test::make_spec(test::kind_of_spin(2), grid, alm::AlmLayout(40, 40), comm.size(), 3);
  spec.backend = backend::Kind::kCuda;
  FieldTransform<double> transform(comm, spec);
  AlmField<double> alm(spec.kind, spec.alm, comm.rank(), 3);
  MapField<double> map(spec.kind, spec.pixels, comm.rank(), 3);
  test::fill_noise(alm, 7);
  transform.synthesis(alm, map);
  std::vector<double> first(map.data().begin(), map.data().end());
  for (int again = 0; again < 3; ++again) {
    test::poison(map);
    transform.synthesis(alm, map);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), map.data().begin()));
  }
  std::vector<std::complex<double>> coefficients;
  for (int again = 0; again < 3; ++again) {
    test::poison(alm);
    transform.adjoint_synthesis(map, alm);
    if (again == 0) coefficients.assign(alm.data().begin(), alm.data().end());
    EXPECT_TRUE(std::equal(coefficients.begin(), coefficients.end(), alm.data().begin()));
  }
}

}  // namespace
}  // namespace armilla::transform

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
