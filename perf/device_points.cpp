// Times transforms at arbitrary points on a device, where coefficients and values stay: planning, synthesis and
// adjoint, with the share of each stage.
#include <armilla/core/timer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/points/point_transform.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "timing.hpp"
#include <CLI/CLI.hpp>

using namespace armilla;
using core::Index;

namespace {

/// Centres of HEALPix pixels, moved by up to some arc minutes, as lensing does; in the order of pixels or shuffled.
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
  }
};

struct Case {
  Index lmax = 2047, nside = 1024, spin = 0;
  bool shuffled = false;
  int turns = 5;
};

template <class T>
void run(const Case& which, double accuracy) {
  const auto comm = comm::Communicator::self();
  const Points points(which.nside, which.shuffled);
  const points::PointTransformSpec spec{
      .kind = which.spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(which.spin),
      .alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(which.lmax, which.lmax), 1),
      .accuracy = accuracy,
      .backend = backend::Kind::kCuda};
  core::PhaseTimers timers;
  std::vector<double> plans, synthesis, adjoint;
  transform::AlmField<T> alm(spec.kind, spec.alm, 0, 1);
  std::mt19937_64 random(2);
  std::normal_distribution<double> noise;
  for (auto& a : alm.data()) a = {static_cast<T>(noise(random)), static_cast<T>(noise(random))};
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
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times transforms at arbitrary points");
  Case which;
  std::vector<double> accuracies{1e-4, 1e-7, 1e-10};
  std::string precision = "double";
  app.add_option("--lmax", which.lmax);
  app.add_option("--nside", which.nside, "as many points as HEALPix has pixels");
  app.add_option("--spin", which.spin);
  app.add_flag("--shuffled", which.shuffled, "points in random order");
  app.add_option("--turns", which.turns);
  app.add_option("--accuracy", accuracies);
  app.add_option("--precision", precision)->check(CLI::IsMember({"double", "single"}));
  CLI11_PARSE(app, argc, argv);
  if (perf::device_is_emulated()) std::printf("emulated device: times are meaningless\n");
  std::printf("%8s %6s %6s %10s %10s %10s   %s\n", "accuracy", "width", "fine", "plan [s]", "synth. [s]", "adjoint [s]",
              "stages, mean of both directions [s]");
  for (const double accuracy : accuracies)
    if (precision == "single")
      run<float>(which, accuracy);
    else
      run<double>(which, accuracy);
}
