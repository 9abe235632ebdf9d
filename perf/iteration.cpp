// Times iterated analysis of a batch of maps: through pixels, and in spectra of rings, where each m is analysed and
// synthesised in turn (transform::RingIteration), and by the normal matrix (transform::NormalAnalysis).
#include <armilla/comm/communicator.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/transform/normal_analysis.hpp>
#include <armilla/transform/ring_iteration.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace {

using namespace armilla;
using core::Index;

struct Options {
  Index nside = 128, lmax = 383, maps = 64, spin = 0, iterations = 3;
  int rounds = 3;
  std::string only = "";
};

template <class T>
double rms(std::span<const T> x) {
  double sum = 0;
  for (const T v : x) sum += static_cast<double>(v) * static_cast<double>(v);
  return std::sqrt(sum / static_cast<double>(x.size()));
}

double median(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

void run(const comm::Communicator& comm, const Options& options) {
  transform::FieldTransformSpec spec;
  spec.kind = options.spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(options.spin);
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(options.nside));
  spec.pixels = std::make_shared<dist::PixelDistribution>(grid, 1);
  spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(options.lmax, options.lmax), 1);
  spec.maps = options.maps;
  transform::FieldTransform<double> transform(comm, spec);
  transform::RingIteration<double> iteration(spec);
  fmt::print("workspace {} MiB\n", transform::RingIteration<double>::workspace_bytes(spec, options.iterations) >> 20);
  transform::MapField<double> map(spec.kind, spec.pixels, 0, options.maps);
  transform::MapField<double> left(spec.kind, spec.pixels, 0, options.maps);
  transform::AlmField<double> plain(spec.kind, spec.alm, 0, options.maps);
  transform::AlmField<double> other(spec.kind, spec.alm, 0, options.maps);
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise;
  for (double& x : map.data()) x = noise(random);
  std::vector<double> weight;
  for (const Index ring : spec.pixels->local_rings(0)) {
    const grid::Ring& r = grid->rings()[static_cast<std::size_t>(ring)];
    weight.push_back(r.weight / static_cast<double>(r.nphi));
  }
  const auto report = [&](const char* name, const transform::AlmField<double>& alm, std::vector<double> seconds) {
    transform.synthesis(alm, left);
    for (std::size_t i = 0; i < left.data().size(); ++i) left.data()[i] -= map.data()[i];
    double difference = 0;
    for (std::size_t i = 0; i < plain.data().size(); ++i)
      difference = std::max(difference, std::abs(plain.data()[i] - alm.data()[i]));
    static std::vector<std::complex<double>> before;
    const bool same =
        before.size() == alm.data().size() && std::equal(before.begin(), before.end(), alm.data().begin());
    before.assign(alm.data().begin(), alm.data().end());
    fmt::print(
        "{:<20} {:8.2f} ms, {:.3f} per map; left of the map {:.6e}, from the first {:.1e}, bits of the last {}\n", name,
        1e3 * median(seconds), 1e3 * median(seconds) / static_cast<double>(options.maps),
        rms<double>(left.data()) / rms<double>(map.data()), difference, same ? "equal" : "differ");
  };
  std::vector<double> whole;
  for (const grid::Ring& r : grid->rings()) whole.push_back(r.weight / static_cast<double>(r.nphi));
  std::vector<double> seconds[5];
  std::vector<double> first_by_pixels, first_in_spectra;
  std::unique_ptr<transform::NormalAnalysis<double>> normal;
  for (int round = 0; round < options.rounds; ++round) {
    double start = core::now_seconds();
    if (options.only.empty() || round == 0) {
      transform.quadrature(map, plain);
      first_by_pixels.push_back(core::now_seconds() - start);
      for (Index i = 0; i < options.iterations; ++i) {
        transform.synthesis(plain, left);
        transform::combine(1.0, map, -1.0, left, transform.memory());
        transform.quadrature(left, other);
        transform::combine(1.0, other, 1.0, plain, transform.memory());
      }
    }
    seconds[0].push_back(core::now_seconds() - start);
    if (round + 1 == options.rounds) report("jacobi, pixels", plain, seconds[0]);
    if (options.only.empty()) {
      start = core::now_seconds();
      transform.iterate(map, whole, transform::RingScheme::kJacobi, options.iterations, other);
      seconds[3].push_back(core::now_seconds() - start);
      if (round + 1 == options.rounds) report("jacobi, all m", other, seconds[3]);
    }
    if (options.only.empty() || options.only == "normal") {
      start = core::now_seconds();
      if (!normal) normal = std::make_unique<transform::NormalAnalysis<double>>(spec, whole);
      const double made = core::now_seconds();
      if (round == 0) fmt::print("tables of the normal matrix {:.1f} ms\n", 1e3 * (made - start));
      normal->analyse(map, options.iterations, other);
      seconds[4].push_back(core::now_seconds() - made);
      if (round + 1 == options.rounds) report("jacobi, normal", other, seconds[4]);
    }
    if (options.only == "normal") continue;
    start = core::now_seconds();
    iteration.analyse(map, weight, transform::RingScheme::kImmediate, 0, other);
    first_in_spectra.push_back(core::now_seconds() - start);
    for (const auto scheme : {transform::RingScheme::kJacobi, transform::RingScheme::kImmediate}) {
      if (!options.only.empty() && (options.only == "jacobi") != (scheme == transform::RingScheme::kJacobi)) continue;
      start = core::now_seconds();
      iteration.analyse(map, weight, scheme, options.iterations, other);
      const int number = scheme == transform::RingScheme::kJacobi ? 1 : 2;
      seconds[number].push_back(core::now_seconds() - start);
      if (round + 1 < options.rounds) continue;
      report(number == 1 ? "jacobi, rings" : "immediate", other, seconds[number]);
    }
  }
  if (!options.only.empty() || options.iterations == 0) return;
  const auto each = [&](const std::vector<double>& all, const std::vector<double>& first) {
    return (median(all) - median(first)) / static_cast<double>(options.iterations * options.maps);
  };
  const double pixels = each(seconds[0], first_by_pixels);
  const double immediate = each(seconds[2], first_in_spectra);
  fmt::print("an iteration of a map: jacobi through pixels {:.3f} ms, immediate {:.3f} ms, {:.2f} times\n",
             1e3 * pixels, 1e3 * immediate, pixels / immediate);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Times iterated analysis of a batch of HEALPix maps on one rank."};
  app.add_option("--nside", options.nside);
  app.add_option("--lmax", options.lmax);
  app.add_option("--maps", options.maps);
  app.add_option("--spin", options.spin);
  app.add_option("--iterations", options.iterations);
  app.add_option("--rounds", options.rounds);
  app.add_option("--only", options.only, "jacobi or immediate: in spectra alone; normal: by normal matrices");
  CLI11_PARSE(app, argc, argv);
  comm::Session session(argc, argv);
  run(comm::Communicator::world(), options);
}
