// Times the convolution of one HEALPix map with a Gaussian of the angle by rings and by harmonics, in turns, and
// compares both with their counts of FMA: what `method: auto` of the step convolve chooses by.
#include <armilla/core/timer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/radial_convolution.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <vector>

#include <CLI/CLI.hpp>

using namespace armilla;
using core::Index;

namespace {

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times radial convolution by rings and by harmonics");
  Index nside = 512, maps = 1;
  std::vector<double> widths{5, 30, 120};
  int turns = 7;
  double cutoff_error = ops::kDefaultCutoffError;
  app.add_option("--nside", nside, "of the HEALPix grid");
  app.add_option("--fwhm-arcmin", widths, "widths of the Gaussians");
  app.add_option("--maps", maps, "at once");
  std::optional<Index> lmax;
  app.add_option("--lmax", lmax, "of the harmonic method; default: what the kernel needs");
  Index lmax_limit = std::numeric_limits<Index>::max();
  app.add_option("--lmax-at-most", lmax_limit, "limits it");
  app.add_option("--turns", turns, "of which the median counts");
  app.add_option("--cutoff-error", cutoff_error, "as in the step convolve");
  CLI11_PARSE(app, argc, argv);

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
    ops::RadialPlan chosen = ops::plan_radial(request, grid, grid, kind);
    chosen.lmax = std::min(lmax.value_or(chosen.lmax), lmax_limit);
    request.method = ops::RadialMethod::kRings;
    const ops::RadialPlan by_rings = ops::plan_radial(request, grid, grid, kind);
    const std::vector<radial::ConvolutionTarget> targets{{by_rings.spec, pixels}};
    double start = core::now_seconds();
    ops::RadialConvolution<double> convolution(comm, pixels, targets, maps);
    convolution(in, areas, {&rings});
    const double first = core::now_seconds() - start;
    const transform::FieldTransformSpec spec{
        .kind = kind,
        .alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(chosen.lmax, chosen.lmax), 1),
        .pixels = pixels,
        .maps = maps,
        .backend = backend::Kind::kCpu};
    transform::FieldTransform<double> transform(comm, spec);
    const std::vector<std::vector<std::vector<double>>> windows{ops::radial_windows(chosen, kind, chosen.lmax)};
    std::vector<double> ring_times, harmonic_times;
    for (int turn = 0; turn < turns; ++turn) {
      start = core::now_seconds();
      convolution(in, areas, {&rings});
      ring_times.push_back(core::now_seconds() - start);
      start = core::now_seconds();
      ops::convolve_harmonic(transform, in, areas, windows, {&harmonic});
      harmonic_times.push_back(core::now_seconds() - start);
    }
    double difference = 0, power = 0;
    for (std::size_t i = 0; i < rings.data().size(); ++i) {
      difference += std::pow(rings.data()[i] - harmonic.data()[i], 2);
      power += std::pow(harmonic.data()[i], 2);
    }
    const core::MemoryEstimate memory = ops::RadialConvolution<double>::memory(*pixels, targets, 0, maps);
    std::printf("%9.2f %9.2f %6ld %10.4f %10.4f %10.4f %10.1f %8.1e  %s\n", width,
                by_rings.spec.cutoff * 10800 / core::kPi, static_cast<long>(chosen.lmax), median(ring_times),
                median(harmonic_times), first, 1e-6 * static_cast<double>(memory.peak()), std::sqrt(difference / power),
                chosen.why.c_str());
    std::fflush(stdout);
  }
}
