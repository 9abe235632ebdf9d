// Iterations by ring modes on the device, against the CPU's.
#include <armilla/iteration/ring_modes.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <support/device.hpp>
#include <support/distance.hpp>
#include <support/iteration_case.hpp>
#include <support/mpi_main.hpp>

namespace armilla::iteration {
namespace {

using test::expect_same_bits;
using test::Iterated;
using test::shared;
using transform::FieldKind;
using Case = test::IterationCase;

constexpr Index kMaps = 3;

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

using CaseAndKind = std::pair<Case, FieldKind>;

// Each case with one kind.
std::vector<CaseAndKind> some_cases() {
  std::vector<CaseAndKind> some;
  for (const Case& c : cases()) some.emplace_back(c, kinds()[some.size() % kinds().size()]);
  return some;
}

std::vector<CaseAndKind> all_cases() {
  std::vector<CaseAndKind> all;
  for (const Case& c : cases())
    for (const FieldKind& kind : kinds()) all.emplace_back(c, kind);
  return all;
}

template <class T>
struct Found : Iterated<T> {
  Found(const comm::Communicator& comm, backend::Kind backend, const FieldKind& kind, const Case& c, Index maps,
        backend::ThetaResampling resampling = backend::ThetaResampling::kAuto, Index first = 0)
      : Iterated<T>(comm, spec_of(backend, kind, c, comm.size(), maps, resampling), first) {}
  static FieldTransformSpec spec_of(backend::Kind backend, const FieldKind& kind, const Case& c, int ranks, Index maps,
                                    backend::ThetaResampling resampling) {
    FieldTransformSpec spec = test::make_spec(kind, c.grid, c.layout, ranks, maps);
    spec.backend = backend;
    spec.options.theta_resampling = resampling;
    spec.campaign = backend == backend::Kind::kCuda;  // tensor cores
    return spec;
  }
};

template <class T>
void expect_iterations_as_on_cpus(const comm::Communicator& comm, const FieldKind& kind, const Case& c,
                                  double tolerance, const std::vector<Index>& counts,
                                  backend::ThetaResampling resampling = backend::ThetaResampling::kAuto) {
  Found<T> cpu(comm, backend::Kind::kCpu, kind, c, kMaps, resampling);
  Found<T> gpu(comm, backend::Kind::kCuda, kind, c, kMaps, resampling);
  for (const Order order : {Order::kJacobi, Order::kImmediate})
    for (const Index iterations : counts) {
      SCOPED_TRACE(c.name + ", " + kind.map_names().front() + ", iterations " + std::to_string(iterations) +
                   (order == Order::kJacobi ? ", jacobi" : ", immediate"));
      test::poison(cpu.alm);
      test::poison(gpu.alm);
      cpu.analyse({order, iterations, true, {}});
      gpu.analyse({order, iterations, true, {}});
      EXPECT_LE(test::distance(comm, gpu.alm, cpu.alm), tolerance);
    }
}

// 1e-12 of rms, and 1e-6 in single precision, as for one transform: what is left shrinks from one iteration to the
// next.
void expect_all_iterations_as_on_cpus(const std::vector<CaseAndKind>& all, const std::vector<Index>& counts) {
  const auto comm = comm::Communicator::world();
  for (const auto& [c, kind] : all) {
    expect_iterations_as_on_cpus<double>(comm, kind, c, 1e-12, counts);
    if (kind.components() > 1) expect_iterations_as_on_cpus<float>(comm, kind, c, 1e-6, counts);
  }
}

TEST(CudaIterations, AreThoseOfTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  expect_all_iterations_as_on_cpus(some_cases(), {0, 2});
}

TEST(CudaIterationsSweep, AreThoseOfTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  expect_all_iterations_as_on_cpus(all_cases(), {0, 1, 3});
}

TEST(CudaIterations, AreThoseOfTheCpuWhereThetaIsResampled) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const Case c{"healpix 16", shared(grid::make_healpix(16)), {24, 24}};
  for (const FieldKind& kind : {FieldKind::scalar(), FieldKind::spin(2)}) {
    expect_iterations_as_on_cpus<double>(comm, kind, c, 1e-12, {0, 2}, backend::ThetaResampling::kOn);
    expect_iterations_as_on_cpus<float>(comm, kind, c, 1e-6, {0, 2}, backend::ThetaResampling::kOn);
  }
}

void expect_normal_of_the_cpu(const std::vector<CaseAndKind>& all) {
  const auto comm = comm::Communicator::world();
  for (const auto& [c, kind] : all) {
    SCOPED_TRACE(c.name + ", " + kind.map_names().front());
    Found<double> cpu(comm, backend::Kind::kCpu, kind, c, kMaps), gpu(comm, backend::Kind::kCuda, kind, c, kMaps);
    std::vector<double> weight;
    for (const Index ring : cpu.transform.spec().pixels->local_rings(comm.rank()))
      weight.push_back(1 + 0.1 * std::sin(static_cast<double>(ring)));
    AlmField<double> alm(kind, cpu.transform.spec().alm, comm.rank(), kMaps);
    test::fill_noise(alm, 3);
    RingNormal<double>(cpu.transform.delta()).apply(alm, weight, cpu.alm);
    RingNormal<double>(gpu.transform.delta()).apply(alm, weight, gpu.alm);
    EXPECT_LE(test::distance(comm, gpu.alm, cpu.alm), 1e-12);
  }
}

TEST(CudaIterations, NormalIsThatOfTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  expect_normal_of_the_cpu(some_cases());
}

TEST(CudaIterationsSweep, NormalIsThatOfTheCpu) {
  ARMILLA_NEEDS_DEVICE();
  expect_normal_of_the_cpu(all_cases());
}

template <class T>
void expect_same_bits_alone(const comm::Communicator& comm, const FieldKind& kind, const Case& c) {
  const auto self = comm::Communicator::self();
  for (const Order order : {Order::kJacobi, Order::kImmediate}) {
    SCOPED_TRACE(c.name + ", " + kind.map_names().front() + ", order " + std::to_string(static_cast<int>(order)));
    Found<T> batch(comm, backend::Kind::kCuda, kind, c, 2 * kMaps);
    const auto iteration = batch.make({order, 2, true, {}});
    iteration->analyse(batch.map, 2, batch.alm);
    iteration->analyse(batch.map, 2, batch.alm);  // by what the first call has kept
    for (const Index map : {Index{0}, 2 * kMaps - 1}) {
      Found<T> one(self, backend::Kind::kCuda, kind, c, 1, {}, map);
      one.analyse({order, 2, true, {}});
      expect_same_bits(batch.alm, map, one.alm);
    }
  }
}

void expect_all_same_bits_alone(const std::vector<CaseAndKind>& all) {
  const auto comm = comm::Communicator::world();
  for (const auto& [c, kind] : all) {
    expect_same_bits_alone<double>(comm, kind, c);
    if (kind.components() > 2) expect_same_bits_alone<float>(comm, kind, c);
  }
}

TEST(CudaIterations, HaveTheSameBitsOnAnyNumberOfRanksAndInAnyBatch) {
  ARMILLA_NEEDS_DEVICE();
  expect_all_same_bits_alone(some_cases());
}

TEST(CudaIterationsSweep, HaveTheSameBitsOnAnyNumberOfRanksAndInAnyBatch) {
  ARMILLA_NEEDS_DEVICE();
  expect_all_same_bits_alone(all_cases());
}

// m in ranges that do not meet, or one by one where working space is short. Without resampling: working space decides
// how many columns cuFFT transforms at once in theta, and so its order of sums.
TEST(CudaIterations, HaveTheSameBitsInAnyWorkingSpace) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const Case c{"healpix 16", shared(grid::make_healpix(16)), {40, 40}};
  for (const FieldKind& kind : {FieldKind::temperature_polarisation(), FieldKind::spin(5)}) {
    auto spec =
        Found<double>::spec_of(backend::Kind::kCuda, kind, c, comm.size(), kMaps, backend::ThetaResampling::kOff);
    for (const Order order : {Order::kJacobi, Order::kImmediate}) {
      spec.device_work = Index{64} << 20;
      Iterated<double> roomy(comm, spec);
      roomy.analyse({order, 2, true, {}});
      spec.device_work = transform::FieldTransform<double>::device_memory(spec, comm.rank()).min_work();
      Iterated<double> tight(comm, spec);
      tight.analyse({order, 2, true, {}});
      EXPECT_TRUE(std::ranges::equal(std::as_const(roomy.alm).data(), std::as_const(tight.alm).data()));
    }
  }
}

}  // namespace
}  // namespace armilla::iteration

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
