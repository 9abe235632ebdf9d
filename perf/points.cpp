// Times transforms at arbitrary points: planning, synthesis and adjoint, with the time and the operation count of each
// stage.
#include <armilla/bench/fma_peak.hpp>
#include <armilla/core/large_memory.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/nufft/kernel_table.hpp>
#include <armilla/points/point_transform.hpp>
#include <armilla/resample/theta_resampler.hpp>
#include <armilla/transform/operation_count.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "timing.hpp"
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

using namespace armilla;
using core::Index;

namespace {

struct Case {
  Index lmax = 2047, nside = 1024, spin = 0;
  bool shuffled = false;
  int turns = 5;
  std::string data;

  transform::FieldKind kind() const {
    return spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(spin);
  }
  std::shared_ptr<const dist::AlmDistribution> alm() const {
    return std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), 1);
  }
};

/// Reads a file of doubles.
std::vector<double> read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  std::vector<double> numbers(static_cast<std::size_t>(stream.tellg()) / sizeof(double));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * sizeof(double)));
  return numbers;
}

template <class T>
void write(const std::filesystem::path& file, const std::vector<std::vector<T>>& fields) {
  std::ofstream stream(file, std::ios::binary);
  for (const std::vector<T>& field : fields) {
    const std::vector<double> numbers(field.begin(), field.end());
    stream.write(reinterpret_cast<const char*>(numbers.data()),
                 static_cast<std::streamsize>(numbers.size() * sizeof(double)));
  }
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

/// Centres of HEALPix pixels, displaced by some arc minutes, as in lensing; in pixel order or shuffled. If a folder is
/// given, the points of its files theta.f64 and phi.f64.
struct Points {
  std::vector<double> theta, phi;

  explicit Points(const Case& which) {
    if (!which.data.empty()) {
      theta = read(std::filesystem::path(which.data) / "theta.f64");
      phi = read(std::filesystem::path(which.data) / "phi.f64");
      return;
    }
    const grid::RingGrid grid = grid::make_healpix(which.nside);
    std::mt19937_64 random(1);
    std::normal_distribution<double> move(0, 2.5 * core::kPi / 10800);
    std::vector<std::size_t> order(static_cast<std::size_t>(grid.npix()));
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (which.shuffled) std::shuffle(order.begin(), order.end(), random);
    theta.resize(order.size());
    phi.resize(order.size());
    std::size_t i = 0;
    for (const grid::Ring& ring : grid.rings())
      for (Index j = 0; j < ring.nphi; ++j, ++i) {
        const double moved = std::abs(ring.theta + move(random));
        theta[order[i]] = std::min(moved, 2 * core::kPi - moved);
        phi[order[i]] = ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi) +
                        move(random) / std::max(0.01, ring.sin_theta);
      }
  }
};

double seconds_of(const core::PhaseTimers& timers, const char* name) {
  for (const auto& entry : timers.entries())
    if (entry.name == name) return entry.seconds / static_cast<double>(entry.calls);
  return 0;
}

/// The Legendre stage only, on the rings from which the theta FFTs of a transform at points start; one pixel per ring.
template <class T>
class SourceStage {
 public:
  explicit SourceStage(const Case& which) : alm_(which.kind(), which.alm(), 0, 1) {
    const resample::SourceThetas sources = resample::source_thetas(which.lmax);
    std::vector<double> theta;
    for (std::size_t i = 0; i < sources.sines.size(); ++i)
      theta.push_back(std::atan2(sources.sines[i], sources.cosines[i]));
    std::ranges::sort(theta);
    for (std::size_t i = theta.size(); i-- > 0;) theta.push_back(core::kPi - theta[i]);
    spec_.kind = which.kind();
    spec_.alm = which.alm();
    spec_.backend = backend::Kind::kCpu;
    spec_.options.theta_resampling = backend::ThetaResampling::kOff;
    spec_.pixels = std::make_shared<dist::PixelDistribution>(
        std::make_shared<const grid::RingGrid>(grid::make_rings(theta, std::vector<double>(theta.size(), 0.0),
                                                                std::vector<Index>(theta.size(), 1), {}, "rings")),
        1);
    map_.emplace(which.kind(), spec_.pixels, 0, 1);
    transform_.emplace(comm_, spec_, transform::Monitor{.timers = &timers_});
  }

  double fma() const { return transform::legendre_fma(spec_, 0); }
  /// Returns the seconds of synthesis and of its adjoint.
  std::pair<double, double> time(const transform::AlmField<T>& alm) {
    timers_ = {};
    transform_->synthesis(alm, *map_);
    const double synthesis = seconds_of(timers_, "legendre");
    timers_ = {};
    transform_->adjoint_synthesis(*map_, alm_);
    return {synthesis, seconds_of(timers_, "legendre")};
  }

 private:
  comm::Communicator comm_ = comm::Communicator::self();
  core::PhaseTimers timers_;
  transform::FieldTransformSpec spec_;
  transform::AlmField<T> alm_;
  std::optional<transform::MapField<T>> map_;
  std::optional<transform::FieldTransform<T>> transform_;
};

/// FMA of each stage; an FFT of n complex values counts 2.5 n log2(n), a real one half of that.
nlohmann::json counts(const Case& which, const nufft::KernelChoice& kernel, double legendre_fma, Index points) {
  const auto fields = static_cast<double>(which.kind().components());
  const auto fft = [](Index n) { return 2.5 * static_cast<double>(n) * std::log2(static_cast<double>(n)); };
  const Index rows = kernel.fine_length / 2;
  const Index source = 2 * resample::resampler_size(which.lmax, {}).source_pairs;
  // Even and odd parts for half of each window, and their sums.
  const double window = 2.0 * ((kernel.width + 1) / 2) * (2 * (nufft::polynomial_terms(kernel.width) - 1) + 2);
  return {{"legendre", legendre_fma},
          {"theta_fft", fields * static_cast<double>(which.lmax + 1) * (fft(source) + fft(rows))},
          {"phi_fft", fields * static_cast<double>(rows) * fft(kernel.fine_length) / 2},
          {"points", static_cast<double>(points) * (window + fields * kernel.width * kernel.width)}};
}

template <class T>
nlohmann::json run(const Case& which, double accuracy, const Points& points, std::size_t number, double peak) {
  const auto comm = comm::Communicator::self();
  const points::PointTransformSpec spec{.kind = which.kind(), .alm = which.alm(), .accuracy = accuracy};
  transform::AlmField<T> alm(spec.kind, spec.alm, 0, 1), back(spec.kind, spec.alm, 0, 1);
  std::vector<std::vector<T>> values(static_cast<std::size_t>(spec.kind.components()),
                                     std::vector<T>(points.theta.size())),
      given;
  std::mt19937_64 random(2);
  std::normal_distribution<double> noise;
  const std::filesystem::path folder(which.data);
  if (which.data.empty()) {
    for (auto& a : alm.data()) a = {static_cast<T>(noise(random)), static_cast<T>(noise(random))};
  } else {
    const std::vector<double> numbers = read(folder / "alm.f64"), of_points = read(folder / "values.f64");
    for (std::size_t i = 0; i < alm.data().size(); ++i)
      alm.data()[i] = {static_cast<T>(numbers.at(2 * i)), static_cast<T>(numbers.at(2 * i + 1))};
    for (std::size_t c = 0; c < values.size(); ++c) {
      const auto begin = of_points.begin() + static_cast<std::ptrdiff_t>(c * points.theta.size());
      given.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(points.theta.size()));
    }
  }
  const auto timed = [](const auto& work) {
    const double start = core::now_seconds();
    work();
    return core::now_seconds() - start;
  };
  SourceStage<T> source(which);
  core::PhaseTimers timers;
  std::unique_ptr<points::PointTransform<T>> transform;
  std::map<std::string, std::vector<double>> seconds;
  const auto note = [&](const std::string& direction, double total, double legendre) {
    seconds[direction].push_back(total);
    seconds[direction + " legendre"].push_back(legendre);
    seconds[direction + " theta_fft"].push_back(seconds_of(timers, "legendre") - legendre);
    seconds[direction + " phi_fft"].push_back(seconds_of(timers, "rings"));
    seconds[direction + " points"].push_back(seconds_of(timers, "points"));
    timers = {};
  };
  for (int turn = 0; turn < which.turns; ++turn) {
    seconds["plan"].push_back(timed([&] {
      transform.reset();
      transform = std::make_unique<points::PointTransform<T>>(comm, spec, points.theta, points.phi,
                                                              transform::Monitor{.timers = &timers});
    }));
    timers = {};
    const auto [synthesis, adjoint] = source.time(alm);
    note("synthesis",
         timed([&] { transform->synthesis(alm, std::vector<std::span<T>>(values.begin(), values.end())); }), synthesis);
    const auto& from = given.empty() ? values : given;
    note("adjoint",
         timed([&] { transform->adjoint_synthesis(std::vector<std::span<const T>>(from.begin(), from.end()), back); }),
         adjoint);
  }
  if (!which.data.empty()) {
    write(folder / ("values_" + std::to_string(number) + ".f64"), values);
    std::vector<std::vector<T>> numbers(1);
    for (const auto& a : back.data()) numbers[0].insert(numbers[0].end(), {a.real(), a.imag()});
    write(folder / ("alm_" + std::to_string(number) + ".f64"), numbers);
  }
  const nufft::KernelChoice& kernel = transform->kernel();
  std::printf("%8.0e %6d %6ld %9.4f ", accuracy, kernel.width, static_cast<long>(kernel.fine_length),
              perf::median(seconds["plan"]));
  for (const char* direction : {"synthesis", "adjoint"}) {
    std::printf(" | %9.4f", perf::median(seconds[direction]));
    for (const char* stage : {"legendre", "theta_fft", "phi_fft", "points"})
      std::printf(" %9.4f", perf::median(seconds[std::string(direction) + " " + stage]));
  }
  std::printf("\n");
  std::fflush(stdout);
  return {{"accuracy", accuracy},
          {"lmax", which.lmax},
          {"spin", which.spin},
          {"points", points.theta.size()},
          {"precision", core::kPrecisionOf<T> == core::Precision::kSingle ? "single" : "double"},
          {"width", kernel.width},
          {"fine_length", kernel.fine_length},
          {"fma_peak", peak},
          {"fma", counts(which, kernel, source.fma(), static_cast<Index>(points.theta.size()))},
          {"seconds", seconds}};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times transforms at arbitrary points");
  Case which;
  std::vector<double> accuracies{1e-4, 1e-7, 1e-10};
  std::string precision = "double", json;
  app.add_option("--lmax", which.lmax);
  app.add_option("--nside", which.nside, "use as many points as HEALPix pixels at this nside");
  app.add_option("--spin", which.spin);
  app.add_flag("--shuffled", which.shuffled, "points in random order");
  app.add_option("--turns", which.turns);
  app.add_option("--accuracy", accuracies);
  app.add_option("--precision", precision)->check(CLI::IsMember({"double", "single"}));
  app.add_option("--data", which.data,
                 "folder with theta.f64, phi.f64, alm.f64 and values.f64 (doubles) to use instead of random numbers; "
                 "values_K.f64 and alm_K.f64 of the K-th accuracy are written to it");
  app.add_option("--json", json, "output file for all times [s] and counts");
  CLI11_PARSE(app, argc, argv);
  const core::KeepLargeMemory keep;  // between turns, as in `armilla run`
  const double peak = bench::measure_fma_peak(0.3) * (precision == "single" ? 2 : 1);
  std::printf("peak %.1f FMA/ns\n%8s %6s %6s %9s ", 1e-9 * peak, "accuracy", "width", "fine", "plan [s]");
  for (const char* direction : {"synthesis", "adjoint"})
    std::printf(" | %9s %9s %9s %9s %9s", direction, "legendre", "theta FFT", "phi FFT", "points");
  std::printf("\n");
  try {
    const Points points(which);
    nlohmann::json records = nlohmann::json::array();
    for (std::size_t i = 0; i < accuracies.size(); ++i)
      records.push_back(precision == "single" ? run<float>(which, accuracies[i], points, i, peak)
                                              : run<double>(which, accuracies[i], points, i, peak));
    if (!json.empty()) std::ofstream(json) << records.dump(2) << "\n";
  } catch (const std::exception& error) {
    std::fprintf(stderr, "perf_points: %s\n", error.what());
    return 1;
  }
}
