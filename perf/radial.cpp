// Times the convolution of HEALPix maps with a Gaussian of the angle by rings and by harmonics, alternately. Compares
// both with their FMA counts, on which `method: auto` of the step convolve is based. On a device, the maps remain in
// its memory.
#include <armilla/core/timer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/radial_convolution.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include "timing.hpp"
#include <CLI/CLI.hpp>

using namespace armilla;
using core::Index;

namespace {

/// Median seconds of two functions: on the host alternately, on a device one after the other by perf::sample().
template <class First, class Second>
std::pair<double, double> time_both(bool on_device, int turns, const First& first, const Second& second) {
  const auto seconds = [](const auto& work, int count) {
    const double start = core::now_seconds();
    for (int i = 0; i < count; ++i) work();
    return core::now_seconds() - start;
  };
  if (on_device) {
    const auto median = [&](const auto& work) {
      return perf::sample(perf::Sampling::on_device(turns), [&](int count) { return seconds(work, count); }).median;
    };
    return {median(first), median(second)};
  }
  std::vector<double> times[2];
  for (int turn = 0; turn < turns; ++turn) {
    times[0].push_back(seconds(first, 1));
    times[1].push_back(seconds(second, 1));
  }
  return {perf::median(times[0]), perf::median(times[1])};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times radial convolution by rings and by harmonics");
  Index nside = 512, maps = 1;
  std::vector<double> widths{5, 30, 120};
  int turns = 7;
  double cutoff_error = ops::kDefaultCutoffError;
  app.add_option("--nside", nside, "nside of the HEALPix grid");
  app.add_option("--fwhm-arcmin", widths, "full widths at half maximum of the Gaussians");
  app.add_option("--maps", maps, "maps per convolution");
  std::optional<Index> lmax;
  app.add_option("--lmax", lmax, "band limit of the harmonic method; default: as the kernel requires");
  Index lmax_limit = std::numeric_limits<Index>::max();
  app.add_option("--lmax-at-most", lmax_limit, "upper limit of this band limit");
  app.add_option("--turns", turns, "repetitions; their median time is printed");
  app.add_option("--cutoff-error", cutoff_error, "as in the convolve step");
  std::string backend_name = "cpu";
  app.add_option("--backend", backend_name)->check(CLI::IsMember({"cpu", "cuda"}));
  CLI11_PARSE(app, argc, argv);

  const backend::Kind backend = backend::kind_of(backend_name);
  const bool on_device = backend::has_device(backend);
  const ops::RadialDevice device{backend, on_device ? backend::device_room(backend, {}) / 8 : 0};
  if (on_device && perf::device_is_emulated()) std::printf("emulated device: times are meaningless\n");
  const auto comm = comm::Communicator::self();
  const auto grid = std::make_shared<const grid::RingGrid>(grid::make_healpix(nside));
  const auto pixels = std::make_shared<dist::PixelDistribution>(grid, 1);
  const auto kind = transform::FieldKind::scalar();
  transform::MapField<double> in(kind, pixels, 0, maps), rings(kind, pixels, 0, maps), harmonic(kind, pixels, 0, maps);
  for (std::size_t i = 0; i < in.data().size(); ++i) in.data()[i] = static_cast<double>(i % 1009) - 504;
  const ops::RadialAreas areas(comm, pixels, ops::WeightsSpec{});
  std::printf("%9s %9s %6s %10s %10s %10s %10s %8s  %s\n", "fwhm [']", "cut [']", "lmax", "rings [s]", "harm. [s]",
              "first [s]", "memory MB", "differ", "auto");
  for (const double width : widths) {
    ops::RadialRequest request{radial::gaussian_kernel(width * core::kPi / 10800)};
    request.cutoff_error = cutoff_error;
    ops::RadialPlan chosen = ops::plan_radial(request, ops::plan_cutoff(request), grid, grid, kind);
    chosen.lmax = std::min(lmax.value_or(chosen.lmax), lmax_limit);
    request.method = ops::RadialMethod::kRings;
    ops::RadialPlan by_rings = ops::plan_radial(request, ops::plan_cutoff(request), grid, grid, kind);
    if (on_device) ops::plan_for_device(by_rings);
    const std::vector<radial::ConvolutionTarget> targets{{by_rings.spec, pixels}};
    if (on_device && !ops::on_device(backend, targets)) {
      std::fprintf(stderr, "perf_radial: %s\n", by_rings.why.c_str());
      return EXIT_FAILURE;
    }
    const double start = core::now_seconds();
    ops::RadialConvolution<double> convolution(comm, pixels, targets, maps, device);
    convolution(in, areas, {&rings});
    const double first = core::now_seconds() - start;
    const transform::FieldTransformSpec spec{
        .kind = kind,
        .alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(chosen.lmax, chosen.lmax), 1),
        .pixels = pixels,
        .maps = maps,
        .backend = backend};
    transform::FieldTransform<double> transform(comm, spec);
    const std::vector<std::vector<std::vector<double>>> windows{ops::radial_windows(chosen, kind, chosen.lmax)};
    const auto [ring_time, harmonic_time] = time_both(
        on_device, turns, [&] { convolution(in, areas, {&rings}); },
        [&] { ops::convolve_harmonic(transform, in, areas, windows, {&harmonic}); });
    double difference = 0, power = 0;
    for (std::size_t i = 0; i < rings.data().size(); ++i) {
      difference += std::pow(rings.data()[i] - harmonic.data()[i], 2);
      power += std::pow(harmonic.data()[i], 2);
    }
    const core::MemoryEstimate memory = ops::RadialConvolution<double>::memory(*pixels, targets, 0, maps, backend);
    std::printf("%9.2f %9.2f %6ld %10.5f %10.5f %10.4f %10.1f %8.1e  %s\n", width,
                by_rings.spec.cutoff * 10800 / core::kPi, static_cast<long>(chosen.lmax), ring_time, harmonic_time,
                first, 1e-6 * static_cast<double>(memory.peak()), std::sqrt(difference / power), chosen.why.c_str());
    std::fflush(stdout);
  }
}
