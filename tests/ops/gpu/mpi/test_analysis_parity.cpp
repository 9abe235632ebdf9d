// Iterated analysis with fields that stay on the device from transform to transform, against the CPU's.
#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/analysis.hpp>

#include <cmath>

#include <gtest/gtest.h>
#include <support/device.hpp>
#include <support/distance.hpp>
#include <support/fields.hpp>
#include <support/iteration_case.hpp>
#include <support/mpi_main.hpp>

namespace armilla::ops {
namespace {

TEST(CudaAnalysis, IteratesAsTheCpuDoes) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  for (const auto weights : {WeightKind::kGrid, WeightKind::kRing, WeightKind::kPixel})
    for (const Index iterations : {0, 3}) {
      const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(16));
      auto spec = test::make_spec(transform::FieldKind::temperature_polarisation(), grid, alm::AlmLayout(32, 32),
                                  comm.size(), 2);
      const AnalysisMethod method{.weights = {.kind = weights}, .solver = Jacobi{iterations}};
      transform::MapField<double> map(spec.kind, spec.pixels, comm.rank(), 2);
      test::fill_map(map, [](Index k, Index c, Index p) {
        return test::noise(5, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * k + c));
      });
      const auto run = [&](backend::Kind backend, transform::AlmField<double>& alm) {
        spec.backend = backend;
        transform::FieldTransform<double> transform(comm, spec);
        test::poison(alm);
        analysis(transform, map, alm, method);
      };
      transform::AlmField<double> expected(spec.kind, spec.alm, comm.rank(), 2);
      transform::AlmField<double> found(spec.kind, spec.alm, comm.rank(), 2);
      run(backend::Kind::kCpu, expected);
      run(backend::Kind::kCuda, found);
      EXPECT_LE(test::distance(comm, found, expected), 1e-12) << iterations << " iterations";
    }
}

TEST(CudaAnalysis, FitsAsTheCpuDoes) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(8));
  auto spec =
      test::make_spec(transform::FieldKind::temperature_polarisation(), grid, alm::AlmLayout(10, 10), comm.size(), 2);
  transform::MapField<double> map(spec.kind, spec.pixels, comm.rank(), 2);
  test::fill_map(map, [](Index k, Index c, Index p) {
    return test::noise(5, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * k + c));
  });
  transform::MapField<double> mask(transform::FieldKind::scalar(), spec.pixels, comm.rank(), 1);
  test::fill_map(mask, [](Index, Index, Index p) { return p >= 200 && p < 206 ? 0.0 : 1.0; });
  transform::MapField<double> depth(spec.kind, spec.pixels, comm.rank(), 2);
  test::fill_map(depth, [](Index k, Index c, Index p) { return 1.0 + static_cast<double>((k + c) * (p % 5)); });
  ConjugateGradients cg;
  cg.tolerance = 1e-12;
  Lsmr lsmr;
  lsmr.tolerance = 1e-12;
  Lsmr by_ring = lsmr;
  for (Index ring = 0; ring < 31; ++ring)
    by_ring.ring_inverse_variance.push_back(ring == 9 ? 0.0 : 1 + 0.5 * static_cast<double>(ring));
  ConjugateGradients cg_with_prior = cg;
  cg_with_prior.regularise.spectra.assign(3, std::vector<double>(11, 0.5));
  cg_with_prior.regularise.spectra[1][4] = 0;
  Lsmr lsmr_with_prior;
  static_cast<LeastSquares&>(lsmr_with_prior) = cg_with_prior;
  for (const Solver& solver : {Solver(cg), Solver(lsmr), Solver(by_ring), Solver(Accuracy{1e-12}),
                               Solver(cg_with_prior), Solver(lsmr_with_prior)}) {
    const AnalysisMethod method{.weights = {}, .solver = solver};
    const bool by_map = method.fit() != nullptr && method.fit()->ring_inverse_variance.empty();
    const FitMaps<double> maps = by_map ? FitMaps<double>{&mask, &depth} : FitMaps<double>{};
    const auto run = [&](backend::Kind backend, transform::AlmField<double>& alm) {
      spec.backend = backend;
      transform::FieldTransform<double> transform(comm, spec);
      test::poison(alm);
      for (const AnalysisOutcome& outcome : analysis(transform, map, alm, method, maps))
        EXPECT_TRUE(outcome.converged) << outcome.normal_residual;
    };
    transform::AlmField<double> expected(spec.kind, spec.alm, comm.rank(), 2);
    transform::AlmField<double> found(spec.kind, spec.alm, comm.rank(), 2);
    run(backend::Kind::kCpu, expected);
    run(backend::Kind::kCuda, found);
    // The tolerance over the least eigenvalue.
    EXPECT_LE(test::distance(comm, found, expected), 1e-10) << "solver " << solver.index();
  }
}

// With weights of rings fits go between coefficients and Delta, and a map of a batch has the bits that it has alone.
TEST(CudaAnalysis, FitsWithWeightsOfRingsAsTheCpuDoes) {
  ARMILLA_NEEDS_DEVICE();
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  const auto grid = test::shared(grid::make_healpix(8));
  const Index maps = 3;
  const auto kind = transform::FieldKind::temperature_polarisation();
  ConjugateGradients cg;
  cg.tolerance = 1e-13;
  for (std::size_t ring = 0; ring < grid->rings().size(); ++ring)
    cg.ring_inverse_variance.push_back(1 + 0.3 * static_cast<double>(ring % 3));
  Lsmr lsmr;
  static_cast<LeastSquares&>(lsmr) = cg;
  for (const Solver& solver : {Solver(cg), Solver(lsmr)}) {
    const auto spec_of = [&](backend::Kind backend, int ranks, Index count) {
      auto spec = test::make_spec(kind, grid, alm::AlmLayout(20, 20), ranks, count);
      spec.backend = backend;
      spec.campaign = true;
      return spec;
    };
    test::Iterated<double> cpu(comm, spec_of(backend::Kind::kCpu, comm.size(), maps)),
        gpu(comm, spec_of(backend::Kind::kCuda, comm.size(), maps));
    test::Iterated<double> alone(self, spec_of(backend::Kind::kCuda, 1, 1), maps - 1);
    for (test::Iterated<double>* found : {&cpu, &gpu, &alone})
      for (const AnalysisOutcome& outcome : analysis(found->transform, found->map, found->alm, {{}, solver}))
        EXPECT_TRUE(outcome.converged) << outcome.normal_residual;
    EXPECT_LE(test::distance(comm, gpu.alm, cpu.alm), 1e-11) << "solver " << solver.index();
    test::expect_same_bits(gpu.alm, maps - 1, alone.alm);
  }
}

}  // namespace
}  // namespace armilla::ops

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
