// Times planning, interpolation and spreading at quasi-uniform points, ring by ring and shuffled. Compares the times
// with FMA counts: for each point two windows of polynomials, and width^2 for each field.
#include <armilla/bench/fma_peak.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/large_memory.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/nufft/interpolate.hpp>
#include <armilla/nufft/spread.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

using namespace armilla;
using core::Index;

namespace {

struct Points {
  std::vector<double> theta, phi;
};

// Points on equidistant rings, with the same distance along each ring; in ring order.
Points quasi_uniform(Index count) {
  const auto rings = static_cast<Index>(std::sqrt(static_cast<double>(count) * core::kPi / 4));
  Points points;
  for (Index i = 0; i < rings; ++i) {
    const double theta = core::kPi * (static_cast<double>(i) + 0.5) / static_cast<double>(rings);
    const auto on_ring = std::max<Index>(4, std::llround(2 * static_cast<double>(rings) * std::sin(theta)));
    for (Index k = 0; k < on_ring; ++k) {
      points.theta.push_back(theta);
      points.phi.push_back(2 * core::kPi * (static_cast<double>(k) + 0.25 * static_cast<double>(i % 4)) /
                           static_cast<double>(on_ring));
    }
  }
  return points;
}

Points shuffled(const Points& points) {
  std::vector<std::size_t> order(points.theta.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 generator(1);
  std::shuffle(order.begin(), order.end(), generator);
  Points result;
  for (const std::size_t i : order) {
    result.theta.push_back(points.theta[i]);
    result.phi.push_back(points.phi[i]);
  }
  return result;
}

// Moves all points into a square of `width` radians at the equator.
Points clustered(const Points& points, double width) {
  Points result = points;
  std::mt19937_64 generator(2);
  std::uniform_real_distribution<double> offset(0, width);
  for (double& theta : result.theta) theta = 0.5 * core::kPi + offset(generator);
  for (double& phi : result.phi) phi = 1 + offset(generator);
  return result;
}

// FMA of one point: even and odd parts for half of each window, and their sums.
double weight_fma(int width) { return 2.0 * ((width + 1) / 2) * (2 * (nufft::polynomial_terms(width) - 1) + 2); }

struct Times {
  std::vector<double> plan, interpolate, spread;
};

double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }
double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

template <class T>
Times measure(const nufft::KernelChoice& choice, const Points& points, Index fields, int turns) {
  // Rows separated by a multiple of 4 KiB would map to the same sets of the L1 cache.
  const Index pitch = (choice.fine_length + 63) / 64 * 64 + 8;
  const nufft::Band band = nufft::sphere_band(choice);
  std::vector<core::AlignedBuffer<T>> samples, values;
  std::vector<std::vector<T*>> rows(static_cast<std::size_t>(fields));
  std::vector<const T* const*> from_samples;
  std::vector<T* const*> to_samples;
  std::vector<const T*> from_values;
  std::vector<T*> to_values;
  for (Index f = 0; f < fields; ++f) {
    samples.emplace_back(band.rows * pitch);
    values.emplace_back(static_cast<Index>(points.theta.size()));
    for (Index i = 0; i < band.rows * pitch; ++i) samples.back().data()[i] = static_cast<T>(i % 1009) - 504;
    std::fill(values.back().span().begin(), values.back().span().end(), T(0));
    std::vector<T*>& of_field = rows[static_cast<std::size_t>(f)];
    for (Index row = 0; row < band.rows; ++row) of_field.push_back(samples.back().data() + row * pitch);
    from_samples.push_back(of_field.data());
    to_samples.push_back(of_field.data());
    from_values.push_back(values.back().data());
    to_values.push_back(values.back().data());
  }
  Times times;
  for (int turn = 0; turn < turns; ++turn) {
    double start = core::now_seconds();
    const nufft::PointPlan<T> plan(choice, band, points.theta, points.phi);
    times.plan.push_back(core::now_seconds() - start);
    start = core::now_seconds();
    nufft::interpolate<T>(plan, from_samples, to_values);
    times.interpolate.push_back(core::now_seconds() - start);
    start = core::now_seconds();
    nufft::spread<T>(plan, from_values, to_samples);
    times.spread.push_back(core::now_seconds() - start);
  }
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times nonuniform FFTs between a fine grid and points");
  Index lmax = 2047, count = 12582912;
  std::vector<double> accuracies{1e-4, 1e-7, 1e-10};
  std::vector<Index> field_counts{1, 2};
  std::vector<std::string> orders{"rings", "shuffled"};
  int turns = 5;
  bool is_single = false;
  app.add_option("--lmax", lmax, "band limit of the fields");
  app.add_option("--points", count, "number of points");
  app.add_option("--accuracy", accuracies, "relative l2 errors");
  app.add_option("--fields", field_counts, "numbers of fields per transform");
  app.add_option("--order", orders, "order of the points: rings, shuffled, clustered (in one cell)");
  app.add_option("--turns", turns, "repetitions; their least and median times are printed");
  app.add_flag("--single", is_single, "fields in single precision");
  CLI11_PARSE(app, argc, argv);

  const core::KeepLargeMemory keep;
  const double peak = bench::measure_fma_peak(0.5) * (is_single ? 2 : 1);
  std::printf("peak %.1f FMA/ns\n", 1e-9 * peak);
  std::printf("%9s %10s %6s %2s %6s %8s | %8s %8s | %8s %8s %6s | %8s %8s %6s\n", "order", "points", "acc.", "f",
              "width", "length", "plan", "median", "interp.", "median", "count", "spread", "median", "count");
  const Points rings = quasi_uniform(count);
  for (const std::string& order : orders) {
    const Points points = order == "rings" ? rings : order == "shuffled" ? shuffled(rings) : clustered(rings, 1e-5);
    for (const double accuracy : accuracies)
      for (const Index fields : field_counts) {
        const auto choice =
            nufft::choose_kernel(lmax, accuracy, is_single ? core::Precision::kSingle : core::Precision::kDouble);
        const Times times =
            is_single ? measure<float>(choice, points, fields, turns) : measure<double>(choice, points, fields, turns);
        const double fma = static_cast<double>(points.theta.size()) *
                           (weight_fma(choice.width) + static_cast<double>(fields * choice.width * choice.width));
        std::printf("%9s %10zu %6.0e %2ld %6d %8ld | %8.4f %8.4f | %8.4f %8.4f %5.0f%% | %8.4f %8.4f %5.0f%%\n",
                    order.c_str(), points.theta.size(), accuracy, static_cast<long>(fields), choice.width,
                    static_cast<long>(choice.fine_length), least(times.plan), median(times.plan),
                    least(times.interpolate), median(times.interpolate), 100 * fma / peak / least(times.interpolate),
                    least(times.spread), median(times.spread), 100 * fma / peak / least(times.spread));
        std::fflush(stdout);
      }
  }
}
