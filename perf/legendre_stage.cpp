// Times the Legendre stage of one process against its operation count:
//   perf_legendre --nside 512 --lmax 1024 --spin 2 --rounds 5
//   perf_legendre --nlat 4096 --lmax 4095 --maps 8 --ranks 32
#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/job/fma_peak.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/transform/operation_count.hpp>
#include <armilla/transform/part_plan.hpp>

#include <algorithm>
#include <cstdio>

#include <CLI/CLI.hpp>

namespace {

using armilla::core::Index;

constexpr double kPeakSeconds = 0.05;

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
  Index maps = 1;
  int ranks = 1;
  int rounds = 5;
  std::string engine_name = "auto";
  CLI::App app("Times a Legendre engine on a HEALPix or Gauss grid with OMP_NUM_THREADS threads");
  app.add_option("--nside", nside);
  app.add_option("--nlat", nlat, "rings of a Gauss grid, in place of --nside");
  app.add_option("--lmax", lmax);
  app.add_option("--spin", spin);
  app.add_option("--maps", maps);
  app.add_option("--ranks", ranks, "the m of the first of so many ranks only");
  app.add_option("--rounds", rounds);
  app.add_option("--engine", engine_name, "auto, fast or reference");
  CLI11_PARSE(app, argc, argv);

  using namespace armilla;
  transform::FieldTransformSpec spec;
  spec.kind = spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(spin);
  spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), ranks);
  spec.pixels = std::make_shared<dist::PixelDistribution>(
      std::make_shared<grid::RingGrid>(nlat > 0 ? grid::make_gauss(nlat, 2 * nlat) : grid::make_healpix(nside)), ranks);
  spec.maps = maps;
  const transform::PartTables tables(spec, spec.kind.parts().front(), 0);
  const auto engine = legendre::make_engine<double>(engine_name, tables.legendre_task());
  core::AlignedVector<std::complex<double>> alm(static_cast<std::size_t>(maps * tables.alm_stride), 1.0);
  core::AlignedVector<std::complex<double>> delta(static_cast<std::size_t>(tables.exchange.send_size));

  std::vector<double> synthesis;
  std::vector<double> adjoint;
  std::vector<double> peaks;
  for (int round = 0; round < rounds; ++round) {
    peaks.push_back(job::measure_fma_peak(kPeakSeconds));
    const double start = core::now_seconds();
    engine->synthesis(alm.data(), delta.data(), {});
    const double middle = core::now_seconds();
    engine->adjoint(delta.data(), alm.data(), {});
    synthesis.push_back(middle - start);
    adjoint.push_back(core::now_seconds() - middle);
  }
  const double fma = transform::legendre_fma(spec, 0);
  std::printf("%s lmax %lld spin %lld, %lld maps: %.4g FMA, peak %.1f GFMA/s\n",
              spec.pixels->grid().description().text().c_str(), static_cast<long long>(lmax),
              static_cast<long long>(spin), static_cast<long long>(maps), fma, 1e-9 * median(peaks));
  const auto print = [&](const char* direction, const std::vector<double>& seconds) {
    std::printf("%-9s median %.3f ms, least %.3f ms, %.1f%% of the peak\n", direction, 1e3 * median(seconds),
                1e3 * *std::ranges::min_element(seconds), 1e2 * fma / median(seconds) / median(peaks));
  };
  print("synthesis", synthesis);
  print("adjoint", adjoint);
  return 0;
}
