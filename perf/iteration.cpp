// Times iterated analysis of a batch of maps on one rank by each scheme: through pixels, by ring modes, in the
// immediate order, and by the normal matrix.
#include <armilla/comm/communicator.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/iteration/field_iterations.hpp>
#include <armilla/iteration/immediate_iteration.hpp>
#include <armilla/iteration/normal_matrix_iteration.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
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
  std::vector<std::string> only = {};
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

struct Timed {
  std::string name;
  std::function<std::unique_ptr<iteration::Iteration<double>>()> make;
  std::unique_ptr<iteration::Iteration<double>> iteration = {};
  double making = 0;
  std::vector<double> all = {}, first = {};  // seconds including all corrections, and of the first analysis only
};

void run(const comm::Communicator& comm, const Options& options) {
  transform::FieldTransformSpec spec;
  spec.kind = options.spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(options.spin);
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(options.nside));
  spec.pixels = std::make_shared<dist::PixelDistribution>(grid, 1);
  spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(options.lmax, options.lmax), 1);
  spec.maps = options.maps;
  transform::FieldTransform<double> transform(comm, spec);
  transform::MapField<double> map(spec.kind, spec.pixels, 0, options.maps);
  transform::MapField<double> left(spec.kind, spec.pixels, 0, options.maps);
  transform::AlmField<double> alm(spec.kind, spec.alm, 0, options.maps);
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise;
  for (double& x : map.data()) x = noise(random);
  std::vector<double> weight;
  for (const grid::Ring& r : grid->rings()) weight.push_back(r.weight / static_cast<double>(r.nphi));
  const std::vector<double> own = transform::own_weights(*spec.pixels, 0, weight);

  std::vector<Timed> schemes;
  const auto add = [&](const std::string& name, const auto& make) {
    if (options.only.empty() || std::ranges::find(options.only, name) != options.only.end())
      schemes.push_back({name, make});
  };
  add("pixel", [&] {
    iteration::AnalysisOperator<double> quadrature;
    quadrature.apply = [&](const auto& from, auto& to, auto*) { transform.quadrature(from, to); };
    return std::make_unique<iteration::PixelIteration<double>>(transform, quadrature);
  });
  add("ring", [&] { return std::make_unique<iteration::RingIteration<double>>(transform, own); });
  add("immediate", [&] { return std::make_unique<iteration::ImmediateIteration<double>>(spec, own); });
  add("normal_matrix", [&] { return std::make_unique<iteration::NormalMatrixIteration<double>>(spec, weight); });

  const auto seconds_of = [](const auto& work) {
    const double start = core::now_seconds();
    work();
    return core::now_seconds() - start;
  };
  std::vector<std::complex<double>> expected;
  for (int round = 0; round < options.rounds; ++round)
    for (Timed& scheme : schemes) {
      if (round == 0) scheme.making = seconds_of([&] { scheme.iteration = scheme.make(); });
      if (scheme.name != "normal_matrix")
        scheme.first.push_back(seconds_of([&] { scheme.iteration->analyse(map, 0, alm); }));
      scheme.all.push_back(seconds_of([&] { scheme.iteration->analyse(map, options.iterations, alm); }));
      if (round + 1 < options.rounds) continue;
      transform.synthesis(alm, left);
      for (std::size_t i = 0; i < left.data().size(); ++i) left.data()[i] -= map.data()[i];
      if (expected.empty()) expected.assign(alm.data().begin(), alm.data().end());
      double difference = 0;
      for (std::size_t i = 0; i < expected.size(); ++i)
        difference = std::max(difference, std::abs(expected[i] - alm.data()[i]));
      const double all = median(scheme.all);
      const auto maps = static_cast<double>(options.maps);
      fmt::print("{:<14} {:8.2f} ms, {:.3f} per map", scheme.name, 1e3 * all, 1e3 * all / maps);
      if (!scheme.first.empty())
        fmt::print(", an iteration {:.3f}",
                   1e3 * (all - median(scheme.first)) / maps / static_cast<double>(options.iterations));
      fmt::print("; setup {:.1f} ms; map residual {:.6e}, difference from the first scheme {:.1e}\n",
                 1e3 * scheme.making, rms<double>(left.data()) / rms<double>(map.data()), difference);
    }
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
  app.add_option("--only", options.only, "Schemes to time: pixel, ring, immediate, normal_matrix");
  CLI11_PARSE(app, argc, argv);
  comm::Session session(argc, argv);
  run(comm::Communicator::world(), options);
}
