#include <armilla/bench/kernel_rates.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/cost/transform_work.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/random_alm.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

namespace armilla::bench {

namespace {

using core::Index;
using cost::Kernel;

constexpr int kTransformRounds = 3;

/// A transform on this rank alone, whose phases are timed.
class Timed {
 public:
  Timed(const RateCollector& rates, grid::RingGrid grid, Index lmax, transform::FieldKind kind, Index maps,
        backend::ThetaResampling resampling)
      : rates_(rates), alone_(comm::Communicator::self()) {
    spec_.kind = std::move(kind);
    spec_.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), 1);
    spec_.pixels =
        std::make_shared<dist::PixelDistribution>(std::make_shared<const grid::RingGrid>(std::move(grid)), 1);
    spec_.maps = maps;
    spec_.campaign = maps > 1;
    spec_.backend = backend::Kind::kCpu;
    spec_.options.theta_resampling = resampling;
    counts_ = std::make_unique<cost::TransformCounts>(spec_, Index{sizeof(double)});
    make();
    construction_ = rates.least_seconds(1, [&] { make(); });
    alm_ = std::make_unique<transform::AlmField<double>>(spec_.kind, spec_.alm, 0, maps);
    map_ = std::make_unique<transform::MapField<double>>(spec_.kind, spec_.pixels, 0, maps);
    for (std::size_t i = 0; i < alm_->data().size(); ++i)
      alm_->data()[i] = {static_cast<double>(i % 1009) - 504, static_cast<double>(i % 997) - 498};
    transform_->synthesis(*alm_, *map_);
  }

  /// Collective. Shortest time of each phase of `work`.
  std::map<std::string, double> phases(const std::function<void()>& work) {
    std::map<std::string, double> least;
    for (int round = 0; round < kTransformRounds; ++round) {
      timers_ = {};
      rates_.comm().barrier();
      work();
      for (const auto& entry : timers_.entries()) {
        const auto [known, is_new] = least.try_emplace(entry.name, entry.seconds);
        if (!is_new) known->second = std::min(known->second, entry.seconds);
      }
    }
    return least;
  }
  std::map<std::string, double> synthesis() {
    return phases([&] { transform_->synthesis(*alm_, *map_); });
  }
  std::map<std::string, double> adjoint() {
    return phases([&] { transform_->adjoint_synthesis(*map_, *alm_); });
  }
  std::map<std::string, double> jacobi(Index corrections) {
    ops::Analysis<double> analysis(*transform_, {{}, ops::Jacobi{corrections, iteration::Scheme::kRing}});
    return phases([&] { analysis.run(*map_, *alm_, {}); });
  }

  const cost::TransformCounts& counts() const { return *counts_; }
  double construction() const { return construction_; }

 private:
  void make() {
    transform_.reset();
    transform_ =
        std::make_unique<transform::FieldTransform<double>>(alone_, spec_, transform::Monitor{.timers = &timers_});
  }

  const RateCollector& rates_;
  comm::Communicator alone_;
  transform::FieldTransformSpec spec_;
  core::PhaseTimers timers_;
  std::unique_ptr<cost::TransformCounts> counts_;
  std::unique_ptr<transform::FieldTransform<double>> transform_;
  std::unique_ptr<transform::AlmField<double>> alm_;
  std::unique_ptr<transform::MapField<double>> map_;
  double construction_ = 0;
};

/// The item of a phase other than resampling.
const cost::Item* item_of(const cost::Work& work, const char* phase) {
  for (const cost::Item& item : work.items)
    if (std::string(cost::info(item.kernel).phase) == phase && item.kernel != Kernel::kResampling) return &item;
  return nullptr;
}

void add_pass(RateCollector& rates, const cost::Work& work, const std::map<std::string, double>& seconds, bool batch,
              bool legendre) {
  for (const char* phase : {"legendre", "rings"}) {
    const cost::Item* item = item_of(work, phase);
    if (std::string(phase) == "legendre" && !legendre) continue;
    rates.add(item->kernel, item->size, batch, item->load.largest, seconds.at(phase));
  }
}

void measure(RateCollector& rates, Timed& timed, bool batch, bool legendre) {
  add_pass(rates, timed.counts().of({.synthesis = 1}), timed.synthesis(), batch, legendre);
  add_pass(rates, timed.counts().of({.adjoint = 1}), timed.adjoint(), batch, legendre);
}

transform::FieldKind kind_of(Index spin) {
  return spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(spin);
}

/// Measures the time of resampling: that of a resampled Legendre stage minus that of its source rings.
void measure_resampling(RateCollector& rates, Index nside, Index lmax) {
  Timed timed(rates, grid::make_healpix(nside), lmax, kind_of(0), 1, backend::ThetaResampling::kOn);
  const cost::Work work = timed.counts().of({.synthesis = 1});
  double amount = 0, legendre = 0;
  for (const cost::Item& item : work.items) {
    if (item.kernel == Kernel::kResampling) amount = item.load.largest;
    if (item.kernel == Kernel::kScalarSynthesis) legendre = item.load.largest;
  }
  // Time of the source rings, at the rate for this size without resampling.
  double rate = 0;
  for (const cost::Sample& sample : rates.rates().samples[Kernel::kScalarSynthesis])
    if (!sample.batch) rate = sample.rate;
  const double seconds = timed.synthesis().at("legendre") - legendre / rate;
  rates.add(Kernel::kResampling, static_cast<double>(lmax + 1), false, amount, std::max(seconds, 1e-3));
}

void measure_modes(RateCollector& rates, bool batch) {
  constexpr Index kNside = 128, kLmax = 256, kCorrections = 2;
  Timed timed(rates, grid::make_healpix(kNside), kLmax, kind_of(0), batch ? 16 : 1, backend::ThetaResampling::kOff);
  const double with = timed.jacobi(kCorrections).at("rings"), without = timed.jacobi(0).at("rings");
  const cost::Work work = timed.counts().of_ring_modes(kCorrections);
  rates.add(Kernel::kRingModes, kLmax + 1, batch, work.items.front().load.largest, with - without);
}

}  // namespace

void measure_transforms(RateCollector& rates) {
  using enum backend::ThetaResampling;
  for (const Index lmax : {255, 1023, 2047})
    for (const Index spin : {0, 2}) {
      Timed timed(rates, grid::make_gauss(lmax + 1, 2 * (lmax + 1)), lmax, kind_of(spin), 1, kOff);
      measure(rates, timed, false, true);
      if (spin == 0)
        rates.add(Kernel::kTables, static_cast<double>(lmax + 1), false,
                  timed.counts().of_construction().items.front().load.largest, timed.construction());
    }
  for (const Index nside : {128, 512}) {
    Timed timed(rates, grid::make_healpix(nside), 2 * nside, kind_of(0), 1, kOff);
    measure(rates, timed, false, false);
  }
  for (const Index spin : {0, 2}) {
    Timed timed(rates, grid::make_healpix(128), 256, kind_of(spin), 16, kOff);
    measure(rates, timed, true, true);
  }
  for (const Index spin : {0, 2}) {
    Timed timed(rates, grid::make_gauss(1024, 2048), 1023, kind_of(spin), 4, kOff);
    measure(rates, timed, true, true);
  }
  Timed equal(rates, grid::make_gauss(256, 512), 255, kind_of(0), 16, kOff);
  measure(rates, equal, true, false);
  measure_resampling(rates, 512, 1023);
  measure_modes(rates, false);
  measure_modes(rates, true);
}

}  // namespace armilla::bench
