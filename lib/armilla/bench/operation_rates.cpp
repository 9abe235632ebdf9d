#include <armilla/bench/kernel_rates.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/cost/point_work.hpp>
#include <armilla/cost/radial_work.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/radial_convolution.hpp>
#include <armilla/ops/random_alm.hpp>
#include <armilla/radial/kernel.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace armilla::bench {

namespace {

using core::Index;
using cost::Kernel;

constexpr int kRounds = 2;

double seconds_of(const core::PhaseTimers& timers, const char* phase) {
  for (const auto& entry : timers.entries())
    if (entry.name == phase) return entry.seconds;
  return 0;
}

double amount_of(const cost::Work& work, Kernel kernel) {
  for (const cost::Item& item : work.items)
    if (item.kernel == kernel) return item.load.largest;
  return 0;
}

/// Points on a spiral, evenly distributed, in a scrambled order.
void make_points(Index count, std::vector<double>& theta, std::vector<double>& phi) {
  for (Index i = 0; i < count; ++i) {
    const Index k = i * 611953 % count;
    theta.push_back(std::acos(1 - (2 * static_cast<double>(k) + 1) / static_cast<double>(count)));
    phi.push_back(std::fmod(static_cast<double>(k) * 2.399963229728653, 2 * core::kPi));
  }
}

void measure_points(RateCollector& rates) {
  constexpr Index kLmax = 511, kPoints = 1000000;
  const comm::Communicator alone = comm::Communicator::self();
  points::PointTransformSpec spec{.kind = transform::FieldKind::scalar(),
                                  .alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(kLmax, kLmax), 1)};
  std::vector<double> theta, phi;
  make_points(kPoints, theta, phi);
  core::PhaseTimers timers;
  std::unique_ptr<points::PointTransform<double>> transform;
  const auto make = [&] {
    transform.reset();
    transform = std::make_unique<points::PointTransform<double>>(alone, spec, theta, phi,
                                                                 transform::Monitor{.timers = &timers});
  };
  make();
  const double construction = rates.least_seconds(kRounds, make);
  transform::AlmField<double> alm(spec.kind, spec.alm, 0, 1);
  std::ranges::fill(alm.data(), std::complex<double>(1, 0));
  std::vector<double> values(theta.size());
  const std::vector<std::span<double>> to{values};
  const std::vector<std::span<const double>> from{values};
  double interpolation = 1e9, spreading = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    rates.comm().barrier();
    timers = {};
    transform->synthesis(alm, to);
    interpolation = std::min(interpolation, seconds_of(timers, "points"));
    timers = {};
    transform->adjoint_synthesis(from, alm);
    spreading = std::min(spreading, seconds_of(timers, "points"));
  }
  const cost::Work work = cost::point_work<double>(spec, kPoints, 1, {.synthesis = 1, .adjoint = 1});
  rates.add(Kernel::kInterpolation, kLmax + 1, false, amount_of(work, Kernel::kInterpolation), interpolation);
  rates.add(Kernel::kSpreading, kLmax + 1, false, amount_of(work, Kernel::kSpreading), spreading);
  // The time of the transform's tables belongs to Kernel::kTables.
  const double tables =
      amount_of(work, Kernel::kTables) / std::max(1.0, rates.rates().samples[Kernel::kTables].empty()
                                                           ? 1e8
                                                           : rates.rates().samples[Kernel::kTables].front().rate);
  rates.add(Kernel::kSorting, kLmax + 1, false, kPoints, std::max(construction - tables, 0.5 * construction));
}

void measure_radial(RateCollector& rates) {
  constexpr Index kNside = 512;
  constexpr double kWidth = 20 * core::kPi / 10800;
  const comm::Communicator alone = comm::Communicator::self();
  const auto grid = std::make_shared<const grid::RingGrid>(grid::make_healpix(kNside));
  const auto pixels = std::make_shared<const dist::PixelDistribution>(grid, 1);
  const auto kind = transform::FieldKind::scalar();
  transform::MapField<double> in(kind, pixels, 0, 1), out(kind, pixels, 0, 1);
  for (std::size_t i = 0; i < in.data().size(); ++i) in.data()[i] = static_cast<double>(i % 1009) - 504;
  ops::RadialRequest request{radial::gaussian_kernel(kWidth)};
  request.method = ops::RadialMethod::kRings;
  const ops::RadialPlan plan = ops::plan_radial(request, ops::plan_cutoff(request), grid, grid, kind);
  const std::vector<radial::ConvolutionTarget> targets{{plan.spec, pixels}};
  const ops::RadialAreas areas(alone, pixels, ops::WeightsSpec{});
  ops::RadialConvolution<double> convolution(alone, pixels, targets, 1);
  convolution(in, areas, {&out});
  const double seconds = rates.least_seconds(kRounds, [&] { convolution(in, areas, {&out}); });
  rates.add(Kernel::kRadial, 4 * kNside, false,
            amount_of(cost::radial_work(*pixels, targets, 1, sizeof(double)), Kernel::kRadial), seconds);
}

void measure_random(RateCollector& rates) {
  constexpr Index kLmax = 511;
  transform::AlmField<double> alm(transform::FieldKind::scalar(),
                                  std::make_shared<dist::AlmDistribution>(alm::AlmLayout(kLmax, kLmax), 1), 0, 1);
  alm::SpectraTable spectra;
  spectra.lmax = kLmax;
  spectra.names = {"TT"};
  spectra.columns = {std::vector<double>(kLmax + 1, 1.0)};
  const double seconds = rates.least_seconds(kRounds, [&] { ops::random_alm(alm, spectra, 1); });
  rates.add(Kernel::kRandom, kLmax + 1, false, static_cast<double>(alm.data().size()), seconds);
}

void measure_memory(RateCollector& rates) {
  constexpr Index kNumbers = Index{16} << 20;
  core::AlignedBuffer<double> buffer(kNumbers);
  double* const numbers = buffer.data();
  const auto fill = [&] {
#pragma omp parallel for schedule(static)
    for (Index i = 0; i < kNumbers; ++i) numbers[i] = static_cast<double>(i & 15);
  };
  constexpr double kBytes = sizeof(double) * kNumbers;
  // A single round, because memory that has been used before is faster.
  rates.add(Kernel::kTouch, 1024, false, kBytes, rates.least_seconds(1, fill));
  double sum = 0;
  const double seconds = rates.least_seconds(3, [&] {
    fill();
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (Index i = 0; i < kNumbers; ++i) sum += numbers[i];
  });
  if (!(sum > 0)) return;  // always positive, but the compiler cannot know that
  rates.add(Kernel::kMemory, 1024, false, 2 * kBytes, seconds);
}

}  // namespace

void measure_operations(RateCollector& rates) {
  measure_points(rates);
  measure_radial(rates);
  measure_random(rates);
  measure_memory(rates);
}

}  // namespace armilla::bench
