// Times transforms at arbitrary points on a device, with coefficients and values in device memory: planning, synthesis
// and adjoint, with the time of each stage. Then checks both directions; the exit code is 1 if an error is too large.
// With --variant NAME times only the sums at points, with the kernels of a variant; with --parity compares them with
// the CPU.
#include <armilla/core/timer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/points/point_transform.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "noise.hpp"
#include "point_parity.hpp"
#include "timing.hpp"
#include <CLI/CLI.hpp>

using namespace armilla;
using core::Index;

namespace {

/// Centres of HEALPix pixels, displaced by some arc minutes, as in lensing; in pixel order or shuffled. Two of the
/// points are at the poles.
struct Points {
  std::vector<double> theta, phi;

  Points(Index nside, bool shuffled) {
    const grid::RingGrid grid = grid::make_healpix(nside);
    std::mt19937_64 random(1);
    std::normal_distribution<double> move(0, 2.5 * core::kPi / 10800);
    std::vector<std::size_t> order(static_cast<std::size_t>(grid.npix()));
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (shuffled) std::shuffle(order.begin(), order.end(), random);
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
    theta[size() / 3] = 0;
    theta[size() / 3 * 2] = core::kPi;
  }

  std::size_t size() const { return theta.size(); }
  /// Indices of about 200 of all points, including the first, the last and the poles.
  std::vector<std::size_t> sample() const {
    std::set<std::size_t> some{size() - 1, size() / 3, size() / 3 * 2};
    for (std::size_t i = 0; i < size(); i += std::max<std::size_t>(1, size() / 200)) some.insert(i);
    return {some.begin(), some.end()};
  }
};

struct Case {
  Index lmax = 2047, nside = 1024, spin = 0;
  bool shuffled = false;
  int turns = 5;
};

template <class T>
void fill_with_noise(transform::AlmField<T>& alm) {
  const std::span<std::complex<T>> numbers = alm.data();
  perf::fill_with_noise(std::span(reinterpret_cast<T*>(numbers.data()), 2 * numbers.size()), 2);
}

double dot(const auto& a, const auto& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                            [](double x, double y) { return x * y; });
}

/// Inner product over positive and negative m.
template <class T>
double dot(const transform::AlmField<T>& a, const transform::AlmField<T>& b) {
  const auto offsets = a.distribution().local_offsets(0);
  const Index lmax = a.distribution().layout().lmax();
  double sum = 0;
  for (Index c = 0; c < a.kind().components(); ++c)
    for (Index m = 0; m <= lmax; ++m)
      for (Index l = m; l <= lmax; ++l) {
        const std::size_t i = core::at(offsets[core::at(m)] + l);
        const std::complex<double> x = a.component(0, c)[i], y = b.component(0, c)[i];
        sum += (m == 0 ? 1 : 2) * (x * std::conj(y)).real();
      }
  return sum;
}

/// |<Y a, x> - <a, Y^T x>| / (|Y a| |x|), where `values` are Y a.
template <class T>
double transpose_error(points::PointTransform<T>& transform, const transform::AlmField<T>& alm,
                       const backend::DualBuffer<T>& values) {
  backend::DualBuffer<T> x(values.size());
  perf::fill_with_noise(x.host(), 3);
  transform::AlmField<T> adjoint(alm.kind(), alm.shared_distribution(), 0, 1);
  transform.adjoint_synthesis(x, adjoint);
  const auto from = std::as_const(x).host(), at_points = values.host();
  return std::abs(dot(at_points, from) - dot(alm, adjoint)) / std::sqrt(dot(at_points, at_points) * dot(from, from));
}

/// Relative l2 error of the values at some points, compared with the CPU.
template <class T>
double error_at(const Points& points, const std::vector<std::size_t>& some, points::PointTransformSpec spec,
                const transform::AlmField<T>& alm, const backend::DualBuffer<T>& values) {
  std::vector<double> theta, phi;
  for (const std::size_t i : some) {
    theta.push_back(points.theta[i]);
    phi.push_back(points.phi[i]);
  }
  spec.backend = backend::Kind::kCpu;
  const auto comm = comm::Communicator::self();
  points::PointTransform<T> on_cpu(comm, spec, theta, phi);
  backend::DualBuffer<T> expected(spec.kind.components() * static_cast<Index>(some.size()));
  on_cpu.synthesis(alm, expected);
  const auto right = std::as_const(expected).host(), found = values.host();
  double difference = 0;
  for (std::size_t k = 0; k < right.size(); ++k) {
    const std::size_t field = k / some.size(), point = some[k % some.size()];
    difference += std::pow(double{found[field * points.size() + point]} - double{right[k]}, 2);
  }
  return std::sqrt(difference / dot(right, right));
}

points::PointTransformSpec spec_of(const Case& which, double accuracy) {
  return {.kind = which.spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(which.spin),
          .alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(which.lmax, which.lmax), 1),
          .accuracy = accuracy,
          .backend = backend::Kind::kCuda};
}

/// Returns whether errors are at most ten times the accuracy.
template <class T>
bool run(const Case& which, double accuracy) {
  const auto comm = comm::Communicator::self();
  const Points points(which.nside, which.shuffled);
  const points::PointTransformSpec spec = spec_of(which, accuracy);
  core::PhaseTimers timers;
  std::vector<double> plans, synthesis, adjoint;
  transform::AlmField<T> alm(spec.kind, spec.alm, 0, 1);
  fill_with_noise(alm);
  backend::DualBuffer<T> values(spec.kind.components() * static_cast<Index>(points.theta.size()));
  const auto timed = [](const auto& work) {
    const double start = core::now_seconds();
    work();
    return core::now_seconds() - start;
  };
  std::unique_ptr<points::PointTransform<T>> transform;
  const auto plan = [&] {
    transform.reset();
    transform = std::make_unique<points::PointTransform<T>>(comm, spec, points.theta, points.phi,
                                                            transform::Monitor{.timers = &timers});
  };
  const auto to_points = [&] { transform->synthesis(alm, values); };
  const auto from_points = [&] { transform->adjoint_synthesis(values, alm); };
  double transforms = 0;
  const auto on_device = [&](const auto& work) {
    return perf::sample(perf::Sampling::on_device(which.turns),
                        [&](int count) {
                          transforms += count;
                          return timed([&] {
                            for (int i = 0; i < count; ++i) work();
                          });
                        })
        .median;
  };
  plans.push_back(timed(plan));
  synthesis.push_back(on_device(to_points));
  adjoint.push_back(on_device(from_points));
  std::printf("%8.0e %6d %6ld %10.4f %10.5f %10.5f  ", accuracy, transform->kernel().width,
              static_cast<long>(transform->kernel().fine_length), perf::median(plans), perf::median(synthesis),
              perf::median(adjoint));
  for (const auto& entry : timers.entries()) std::printf(" %s %.3f", entry.name.c_str(), entry.seconds / transforms);
  std::printf("\n");

  fill_with_noise(alm);  // the adjoint has overwritten the coefficients
  to_points();
  const std::vector<std::size_t> some = points.sample();
  const double of_transpose = transpose_error<T>(*transform, alm, values);
  const double of_values = error_at<T>(points, some, spec, alm, values);
  const bool right = of_transpose <= 10 * accuracy && of_values <= 10 * accuracy;
  std::printf("relative errors: transpose %.1e, at %zu points against the CPU %.1e%s\n", of_transpose, some.size(),
              of_values, right ? "" : "  TOO LARGE");
  std::fflush(stdout);
  return right;
}

/// Times the sums at points, with events.
template <class T>
void time_sums(const perf::PointVariant& variant, const Case& which, double accuracy) {
  const Points points(which.nside, which.shuffled);
  perf::PointStage<T> stage(variant, spec_of(which, accuracy), points.theta, points.phi);
  perf::fill_with_noise(stage.torus().data(), 2);
  const auto time = [&](const auto& work) {
    kernels::TimedEvent start, end;
    return perf::sample(perf::Sampling::on_device(which.turns), [&](int count) {
      start.record(stage.stream());
      for (int i = 0; i < count; ++i) work();
      end.record(stage.stream());
      end.wait();
      return end.seconds_since(start);
    });
  };
  const perf::Time to_points = time([&] { stage.interpolate(); }), from_points = time([&] { stage.spread(); });
  std::printf("%8.0e %6d %6lld %14.4f %9.4f %14.4f %9.4f\n", accuracy, stage.kernel().width,
              static_cast<long long>(stage.kernel().fine_length), 1e3 * to_points.median, 1e3 * to_points.least,
              1e3 * from_points.median, 1e3 * from_points.least);
  std::fflush(stdout);
}

/// Returns the exit code.
template <class T>
int time_variant(const perf::PointVariant& variant, const Case& which, const std::vector<double>& accuracies) {
  for (const double accuracy : accuracies) {
    const int width = nufft::choose_kernel(which.lmax, accuracy, core::kPrecisionOf<T>).width;
    const std::string why = perf::why_unusable(variant, width, core::kPrecisionOf<T>);
    if (why.empty()) continue;
    std::fprintf(stderr, "perf_device_points: %s\n", why.c_str());
    return 2;
  }
  std::printf("%8s %6s %6s %14s %9s %14s %9s\n", "accuracy", "width", "fine", "interp. [ms]", "least", "spread [ms]",
              "least");
  for (const double accuracy : accuracies) time_sums<T>(variant, which, accuracy);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times transforms at arbitrary points");
  Case which;
  std::vector<double> accuracies{1e-4, 1e-7, 1e-10};
  std::string precision = "double";
  app.add_option("--lmax", which.lmax);
  app.add_option("--nside", which.nside, "use as many points as HEALPix pixels at this nside");
  app.add_option("--spin", which.spin);
  app.add_flag("--shuffled", which.shuffled, "points in random order");
  app.add_option("--turns", which.turns);
  app.add_option("--accuracy", accuracies);
  app.add_option("--precision", precision)->check(CLI::IsMember({"double", "single"}));
  const std::vector<perf::PointVariant> variants = perf::point_variants();
  std::vector<std::string> names;
  for (const perf::PointVariant& one : variants) names.emplace_back(one.name);
  std::string name;
  bool list = false, parity = false;
  app.add_option("--variant", name, "time only the sums at points, with these kernels")->check(CLI::IsMember(names));
  app.add_flag("--list-variants", list, "list the variants of these kernels, and do nothing else");
  app.add_flag("--parity", parity, "compare the sums at points of all variants, or of this one, with the CPU");
  CLI11_PARSE(app, argc, argv);
  if (list) {
    for (const perf::PointVariant& one : variants) std::printf("%-20s %s\n", one.name, one.what);
    return 0;
  }
  if (parity) {
    int failures = 0;
    for (const perf::PointVariant& one : variants)
      if (name.empty() || name == one.name) failures += perf::count_failures(one);
    return failures == 0 ? 0 : 1;
  }
  if (perf::device_is_emulated()) std::printf("emulated device: times are meaningless\n");
  if (!name.empty()) {
    const perf::PointVariant& variant = *std::ranges::find(variants, name, &perf::PointVariant::name);
    return precision == "single" ? time_variant<float>(variant, which, accuracies)
                                 : time_variant<double>(variant, which, accuracies);
  }
  std::printf("%8s %6s %6s %10s %10s %10s   %s\n", "accuracy", "width", "fine", "plan [s]", "synth. [s]", "adjoint [s]",
              "stages, mean of both directions [s]");
  bool right = true;
  for (const double accuracy : accuracies)
    right = (precision == "single" ? run<float>(which, accuracy) : run<double>(which, accuracy)) && right;
  return right ? 0 : 1;
}
