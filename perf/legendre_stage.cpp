// Times the Legendre stage of one process against its operation count:
//   perf_legendre --nside 512 --lmax 1024 --spin 2 --rounds 5
#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/math/wigner.hpp>
#include <armilla/transform/part_plan.hpp>

#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>

namespace {

using armilla::core::Index;

// Steps of the recurrence: one per (m, l, ring pair) that is not cut off at the poles.
double count_steps(const armilla::legendre::Task& task) {
  double steps = 0;
  for (std::size_t k = 0; k < task.m.size(); ++k) {
    const Index degrees = task.lmax - armilla::math::lowest_degree(task.spin, task.m[k]) + 1;
    steps += static_cast<double>(degrees) * static_cast<double>(task.pairs() - task.first_pair[k]);
  }
  return steps;
}

double median(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  Index nside = 256;
  Index nlat = 0;
  Index lmax = 511;
  Index spin = 0;
  int rounds = 5;
  std::string engine_name = "auto";
  CLI::App app("Times a Legendre engine on a HEALPix or Gauss grid, one map, OMP_NUM_THREADS threads");
  app.add_option("--nside", nside);
  app.add_option("--nlat", nlat, "rings of a Gauss grid, in place of --nside");
  app.add_option("--lmax", lmax);
  app.add_option("--spin", spin);
  app.add_option("--rounds", rounds);
  app.add_option("--engine", engine_name, "auto, fast or reference");
  CLI11_PARSE(app, argc, argv);

  using namespace armilla;
  transform::FieldTransformSpec spec;
  spec.kind = spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(spin);
  spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), 1);
  spec.pixels = std::make_shared<dist::PixelDistribution>(
      std::make_shared<grid::RingGrid>(nlat > 0 ? grid::make_gauss(nlat, 2 * nlat) : grid::make_healpix(nside)), 1);
  const transform::PartTables tables(spec, spec.kind.parts().front(), 0);
  const auto engine = legendre::make_engine<double>(engine_name, tables.legendre_task());
  core::AlignedVector<std::complex<double>> alm(static_cast<std::size_t>(tables.alm_stride), 1.0);
  core::AlignedVector<std::complex<double>> delta(static_cast<std::size_t>(tables.exchange.send_size));

  std::vector<double> synthesis;
  std::vector<double> adjoint;
  for (int round = 0; round < rounds; ++round) {
    const double start = core::now_seconds();
    engine->synthesis(alm.data(), delta.data(), {});
    const double middle = core::now_seconds();
    engine->adjoint(delta.data(), alm.data(), {});
    synthesis.push_back(middle - start);
    adjoint.push_back(core::now_seconds() - middle);
  }
  const double steps = count_steps(tables.legendre_task());
  std::printf("%s lmax %lld spin %lld: %.3g steps\n", spec.pixels->grid().description().text().c_str(),
              static_cast<long long>(lmax), static_cast<long long>(spin), steps);
  std::printf("synthesis %.3f ms, %.3f ns a step; adjoint %.3f ms, %.3f ns a step (medians of %d)\n",
              1e3 * median(synthesis), 1e9 * median(synthesis) / steps, 1e3 * median(adjoint),
              1e9 * median(adjoint) / steps, rounds);
  return 0;
}
