// Iterations between coefficients and spectra of rings on the device, against the CPU's.
#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/transform/device_demand.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <support/device.hpp>
#include <support/distance.hpp>
#include <support/fields.hpp>
#include <support/mpi_main.hpp>

namespace armilla::ops {
namespace {

using transform::AlmField;
using transform::FieldKind;
using transform::FieldTransform;
using transform::MapField;
using transform::RingScheme;

constexpr Index kMaps = 3;

struct Case {
  std::string name;
  std::shared_ptr<const grid::RingGrid> grid;
  alm::AlmLayout layout;
};

std::shared_ptr<const grid::RingGrid> shared(grid::RingGrid grid) {
  return std::make_shared<grid::RingGrid>(std::move(grid));
}

// With and without aliases, more of them than any use, rings that begin anywhere or have no mirror image.
std::vector<Case> cases() {
  return {{"healpix 8", shared(grid::make_healpix(8)), {16, 16}},
          {"healpix 8, many aliases", shared(grid::make_healpix(8)), {23, 23}},
          {"healpix 6, more than pixels", shared(grid::make_healpix(6)), {40, 40}},
          {"healpix 16, mmax", shared(grid::make_healpix(16)), {47, 20}},
          {"gauss", shared(grid::make_gauss(12, 24)), {11, 11}},
          {"gauss, aliases, longitude", shared(grid::make_gauss(12, 9, 0.4)), {11, 11}},
          {"equiangular", shared(grid::make_equiangular("f1", 24, 23)), {11, 11}},
          {"mirrorless", shared(grid::make_equiangular("mw", 16, 31)), {7, 7}},
          {"reduced gauss", shared(grid::make_reduced_gauss(24)), {23, 23}}};
}

std::vector<FieldKind> kinds() {
  return {FieldKind::scalar(), FieldKind::temperature_polarisation(), FieldKind::spin(2), FieldKind::spin(5)};
}

template <class T>
void draw(MapField<T>& map, Index first = 0) {
  test::fill_map(map, [&](Index k, Index c, Index p) {
    return test::noise(7, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * (first + k) + c));
  });
}

// Of a pixel of each ring.
std::vector<double> weights_of(const grid::RingGrid& grid) {
  std::vector<double> weight;
  for (const grid::Ring& ring : grid.rings()) weight.push_back(ring.weight / static_cast<double>(ring.nphi));
  return weight;
}

template <class T>
struct Found {
  Found(const comm::Communicator& comm, const std::string& backend, const FieldKind& kind, const Case& c, Index maps,
        backend::ThetaResampling resampling = backend::ThetaResampling::kAuto)
      : transform(comm, spec_of(backend, kind, c, comm.size(), maps, resampling)),
        map(kind, transform.spec().pixels, comm.rank(), maps),
        alm(kind, transform.spec().alm, comm.rank(), maps) {
    draw(map);
    test::poison(alm);
  }
  static transform::FieldTransformSpec spec_of(const std::string& backend, const FieldKind& kind, const Case& c,
                                               int ranks, Index maps, backend::ThetaResampling resampling) {
    transform::FieldTransformSpec spec = test::make_spec(kind, c.grid, c.layout, ranks, maps);
    spec.backend = backend;
    spec.options.theta_resampling = resampling;
    // Tensor cores, or none, for a map alone as for a batch.
    spec.all_maps = backend == "cuda" ? 2 * kMaps : 0;
    return spec;
  }
  void iterate(RingScheme scheme, Index iterations) {
    transform.iterate(map, weights_of(transform.spec().pixels->grid()), scheme, iterations, alm);
  }

  FieldTransform<T> transform;
  MapField<T> map;
  AlmField<T> alm;
};

template <class T>
void expect_iterations_as_on_cpus(const comm::Communicator& comm, const FieldKind& kind, const Case& c,
                                  double tolerance,
                                  backend::ThetaResampling resampling = backend::ThetaResampling::kAuto) {
  Found<T> cpu(comm, "cpu", kind, c, kMaps, resampling);
  Found<T> gpu(comm, "cuda", kind, c, kMaps, resampling);
  for (const RingScheme scheme : {RingScheme::kJacobi, RingScheme::kImmediate})
    for (const Index iterations : {0, 1, 3}) {
      SCOPED_TRACE(c.name + ", " + kind.map_names().front() + ", iterations " + std::to_string(iterations) +
                   (scheme == RingScheme::kJacobi ? ", jacobi" : ", immediate"));
      test::poison(cpu.alm);
      test::poison(gpu.alm);
      cpu.iterate(scheme, iterations);
      gpu.iterate(scheme, iterations);
      EXPECT_LE(test::distance(comm, gpu.alm, cpu.alm), tolerance);
    }
}

// 1e-12 of rms, and 1e-6 in single precision, as for one transform: what is left shrinks from one iteration to the
// next.
TEST(CudaIterations, AreThoseOfTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  for (const Case& c : cases())
    for (const FieldKind& kind : kinds()) {
      expect_iterations_as_on_cpus<double>(comm, kind, c, 1e-12);
      if (kind.components() > 1) expect_iterations_as_on_cpus<float>(comm, kind, c, 1e-6);
    }
}

TEST(CudaIterations, AreThoseOfTheCpuWhereThetaIsResampled) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const Case c{"healpix 16", shared(grid::make_healpix(16)), {24, 24}};
  for (const FieldKind& kind : {FieldKind::scalar(), FieldKind::spin(2)}) {
    expect_iterations_as_on_cpus<double>(comm, kind, c, 1e-12, backend::ThetaResampling::kOn);
    expect_iterations_as_on_cpus<float>(comm, kind, c, 1e-6, backend::ThetaResampling::kOn);
  }
}

TEST(CudaIterations, NormalIsThatOfTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  for (const Case& c : cases())
    for (const FieldKind& kind : kinds()) {
      SCOPED_TRACE(c.name + ", " + kind.map_names().front());
      Found<double> cpu(comm, "cpu", kind, c, kMaps), gpu(comm, "cuda", kind, c, kMaps);
      std::vector<double> weight;
      for (const Index ring : cpu.transform.spec().pixels->local_rings(comm.rank()))
        weight.push_back(1 + 0.1 * std::sin(static_cast<double>(ring)));
      AlmField<double> alm(kind, cpu.transform.spec().alm, comm.rank(), kMaps);
      test::fill_noise(alm, 3);
      cpu.transform.normal(alm, weight, cpu.alm);
      gpu.transform.normal(alm, weight, gpu.alm);
      EXPECT_LE(test::distance(comm, gpu.alm, cpu.alm), 1e-12);
    }
}

// The coefficients of own m, bit for bit, of a map of a batch on these ranks, and of that map alone on one rank.
template <class T>
void expect_same_bits(const AlmField<T>& all, Index map, const AlmField<T>& one) {
  const auto own_m = all.distribution().local_m(all.rank());
  const auto offsets = all.distribution().local_offsets(all.rank());
  const auto whole = one.distribution().local_offsets(0);
  for (Index c = 0; c < all.kind().components(); ++c)
    for (std::size_t k = 0; k < own_m.size(); ++k)
      for (Index l = own_m[k]; l <= all.distribution().layout().lmax(); ++l) {
        const auto a = all.component(map, c)[static_cast<std::size_t>(offsets[k] + l)];
        const auto b = one.component(0, c)[static_cast<std::size_t>(whole[static_cast<std::size_t>(own_m[k])] + l)];
        ASSERT_EQ(a, b) << "component " << c << ", l " << l << ", m " << own_m[k];
      }
}

template <class T>
void expect_same_bits_alone(const comm::Communicator& comm, const FieldKind& kind, const Case& c) {
  const auto self = comm::Communicator::self();
  for (const RingScheme scheme : {RingScheme::kJacobi, RingScheme::kImmediate}) {
    SCOPED_TRACE(c.name + ", " + kind.map_names().front() + ", scheme " + std::to_string(static_cast<int>(scheme)));
    Found<T> batch(comm, "cuda", kind, c, 2 * kMaps);
    batch.iterate(scheme, 2);
    batch.iterate(scheme, 2);  // by what the first call has kept
    for (const Index map : {Index{0}, 2 * kMaps - 1}) {
      Found<T> one(self, "cuda", kind, c, 1);
      draw(one.map, map);
      one.iterate(scheme, 2);
      expect_same_bits(batch.alm, map, one.alm);
    }
  }
}

TEST(CudaIterations, HaveTheSameBitsOnAnyNumberOfRanksAndInAnyBatch) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  for (const Case& c : cases())
    for (const FieldKind& kind : kinds()) {
      expect_same_bits_alone<double>(comm, kind, c);
      if (kind.components() > 2) expect_same_bits_alone<float>(comm, kind, c);
    }
}

// m in ranges that do not meet, or one by one where working space is short. Without resampling: working space decides
// how many columns cuFFT transforms at once in theta, and so its order of sums.
TEST(CudaIterations, HaveTheSameBitsInAnyWorkingSpace) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const Case c{"healpix 16", shared(grid::make_healpix(16)), {40, 40}};
  for (const FieldKind& kind : {FieldKind::temperature_polarisation(), FieldKind::spin(5)}) {
    auto spec = Found<double>::spec_of("cuda", kind, c, comm.size(), kMaps, backend::ThetaResampling::kOff);
    AlmField<double> roomy(kind, spec.alm, comm.rank(), kMaps), tight(kind, spec.alm, comm.rank(), kMaps);
    MapField<double> map(kind, spec.pixels, comm.rank(), kMaps);
    draw(map);
    for (const RingScheme scheme : {RingScheme::kJacobi, RingScheme::kImmediate}) {
      const auto run = [&](Index work, AlmField<double>& alm) {
        spec.device_work = work;
        FieldTransform<double> transform(comm, spec);
        test::poison(alm);
        transform.iterate(map, weights_of(*c.grid), scheme, 2, alm);
      };
      run(Index{64} << 20, roomy);
      run(transform::device_demand<double>(spec, comm.rank()).least_work(), tight);
      EXPECT_TRUE(std::ranges::equal(std::as_const(roomy).data(), std::as_const(tight).data()));
    }
  }
}

// With weights of rings fits go between coefficients and Delta, and a map of a batch has the bits that it has alone.
TEST(CudaIterations, FitWithWeightsOfRingsAsTheCpuDoes) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  const Case c{"healpix 8", shared(grid::make_healpix(8)), {20, 20}};
  const FieldKind kind = FieldKind::temperature_polarisation();
  ConjugateGradients cg;
  cg.tolerance = 1e-13;
  for (std::size_t ring = 0; ring < c.grid->rings().size(); ++ring)
    cg.ring_inverse_variance.push_back(1 + 0.3 * static_cast<double>(ring % 3));
  Lsmr lsmr;
  static_cast<LeastSquares&>(lsmr) = cg;
  for (const Solver& solver : {Solver(cg), Solver(lsmr)}) {
    Found<double> cpu(comm, "cpu", kind, c, kMaps), gpu(comm, "cuda", kind, c, kMaps);
    Found<double> alone(self, "cuda", kind, c, 1);
    draw(alone.map, kMaps - 1);
    for (Found<double>* found : {&cpu, &gpu, &alone})
      for (const AnalysisOutcome& outcome : analysis(found->transform, found->map, found->alm, {{}, solver}))
        EXPECT_TRUE(outcome.converged) << outcome.normal_residual;
    EXPECT_LE(test::distance(comm, gpu.alm, cpu.alm), 1e-11) << "solver " << solver.index();
    expect_same_bits(gpu.alm, kMaps - 1, alone.alm);
  }
}

}  // namespace
}  // namespace armilla::ops
