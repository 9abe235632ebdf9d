// Times the Legendre stage of one process and compares it with its operation count:
//   perf_legendre --nside 512 --lmax 1024 --spin 2 --rounds 5
//   perf_legendre --nlat 4096 --lmax 4095 --maps 8 --ranks 32
#include <armilla/bench/fma_peak.hpp>
#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/transform/operation_count.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <algorithm>
#include <cstdio>

#include "stage_case.hpp"

namespace {

constexpr double kPeakSeconds = 0.05;
// Approximate number of measurements of the peak during the rounds.
constexpr int kPeaks = 15;

}  // namespace

int main(int argc, char** argv) {
  armilla::perf::StageCase which;
  int ranks = 1;
  std::string engine_name = "auto";
  CLI::App app("Times a Legendre engine on a HEALPix or Gauss grid with OMP_NUM_THREADS threads");
  which.add_options(app);
  app.add_option("--ranks", ranks, "only the m of rank 0 of this many ranks");
  app.add_option("--engine", engine_name, "auto, fast or reference");
  CLI11_PARSE(app, argc, argv);

  using namespace armilla;
  using perf::median;
  const transform::FieldTransformSpec spec = which.spec(ranks);
  const transform::SpinTables tables(spec, spec.kind.spin_fields().front(), 0);
  const auto engine = legendre::make_engine<double>(engine_name, tables.legendre_task());
  core::AlignedVector<std::complex<double>> alm(static_cast<std::size_t>(which.maps * tables.alm_stride), 1.0);
  core::AlignedVector<std::complex<double>> delta(static_cast<std::size_t>(tables.exchange.send_size));

  std::vector<double> synthesis;
  std::vector<double> adjoint;
  std::vector<double> peaks;
  for (int round = 0; round < which.rounds; ++round) {
    if (round % std::max(1, which.rounds / kPeaks) == 0) peaks.push_back(bench::measure_fma_peak(kPeakSeconds));
    const double start = core::now_seconds();
    engine->synthesis(alm.data(), delta.data(), {});
    const double middle = core::now_seconds();
    engine->adjoint(delta.data(), alm.data(), {});
    synthesis.push_back(middle - start);
    adjoint.push_back(core::now_seconds() - middle);
  }
  const double fma = transform::legendre_fma(spec, 0);
  std::printf("%s lmax %lld spin %lld, %lld maps: %.4g FMA, peak %.1f GFMA/s\n",
              spec.pixels->grid().description().text().c_str(), static_cast<long long>(which.lmax),
              static_cast<long long>(which.spin), static_cast<long long>(which.maps), fma, 1e-9 * median(peaks));
  const auto print = [&](const char* direction, const std::vector<double>& seconds) {
    std::printf("%-9s median %.3f ms, fastest %.3f ms, %.1f%% of the peak\n", direction, 1e3 * median(seconds),
                1e3 * *std::ranges::min_element(seconds), 1e2 * fma / median(seconds) / median(peaks));
  };
  print("synthesis", synthesis);
  print("adjoint", adjoint);
  return 0;
}
