#include <armilla/bench/bench.hpp>
#include <armilla/bench/bench_error.hpp>
#include <armilla/bench/fma_peak.hpp>
#include <armilla/comm/node_memory.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/random_alm.hpp>
#include <armilla/transform/backend_choice.hpp>
#include <armilla/transform/operation_count.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

namespace armilla::bench {

namespace {

constexpr std::uint64_t kSeed = 1;
/// Duration of one measurement of the FMA peak. It is measured again after timed rounds of this duration, so that both
/// run under the same conditions.
constexpr double kPeakSeconds = 0.02;

constexpr std::array kPhases{"legendre", "exchange", "rings"};

double reduced(const comm::Communicator& comm, double value,
               void (comm::Communicator::*reduce)(std::span<double>) const) {
  (comm.*reduce)(std::span<double>(&value, 1));
  return value;
}

double largest(const comm::Communicator& comm, double value) { return reduced(comm, value, &comm::Communicator::max); }
double total(const comm::Communicator& comm, double value) { return reduced(comm, value, &comm::Communicator::sum); }

double seconds_in(const core::PhaseTimers& timers, const std::string& name) {
  for (const auto& entry : timers.entries())
    if (entry.name == name) return entry.seconds;
  return 0;  // no phase "exchange" on a single rank
}

// White coefficients: C_l = 1 for every component.
alm::SpectraTable flat_spectra(const transform::FieldKind& kind, Index lmax) {
  alm::SpectraTable spectra;
  spectra.lmax = lmax;
  for (const std::string& name : kind.alm_names()) {
    spectra.names.push_back(alm::spectrum_name(name, name));
    spectra.columns.emplace_back(static_cast<std::size_t>(lmax) + 1, 1.0);
  }
  return spectra;
}

transform::FieldTransformSpec make_spec(const comm::Communicator& comm, const BenchCase& parameters) {
  transform::FieldTransformSpec spec;
  comm::phase(comm, [&] { spec = spec_of(parameters, comm.size()); });
  return spec;
}

// A transform with its fields on this rank.
template <class T>
Index bytes_of(const transform::FieldTransformSpec& spec, int rank) {
  return (transform::FieldTransform<T>::memory(spec, rank) + spec.alm_memory<T>(rank) + spec.map_memory<T>(rank))
      .peak();
}

template <class T>
class Bench {
 public:
  // Collective.
  Bench(const comm::Communicator& comm, const BenchCase& parameters, const std::optional<Index>& memory_limit)
      : comm_(comm), parameters_(parameters) {
    const double start = core::now_seconds();
    const auto spec = make_spec(comm, parameters);
    comm::check_memory(comm,
                       comm::tightest_memory(comm, core::resident_bytes() + bytes_of<T>(spec, comm.rank()),
                                             comm::limit_of_root(comm, memory_limit)),
                       "this benchmark");
    transform_.emplace(comm, spec, transform::Monitor{.timers = &timers_, .bytes_sent = &bytes_sent_, .progress = {}});
    plan_seconds_ = largest(comm, core::now_seconds() - start);
    comm::phase(comm, [&] {
      alm_.emplace(spec.kind, spec.alm, comm.rank(), spec.maps);
      map_.emplace(spec.kind, spec.pixels, comm.rank(), spec.maps);
      ops::random_alm(*alm_, flat_spectra(spec.kind, parameters.lmax), kSeed);
    });
    // Maps for analysis are synthesised, so that they are band-limited.
    if (!makes_maps(parameters.direction)) transform_->synthesis(*alm_, *map_);
  }

  BenchRecord run() {
    BenchRecord record;
    record.parameters = parameters_;
    record.resampled = transform_->spec().resampled();
    record.backend = transform_->backend();
    record.ranks = comm_.size();
    record.threads = core::thread_count();
    record.plan_seconds = plan_seconds_;
    double seconds = timed_round();    // first touch of all memory, not recorded
    double since_peak = kPeakSeconds;  // duration of the rounds since the last measurement of the peak
    std::vector<double> peaks;
    std::array<std::vector<double>, kPhases.size()> phases, own;
    for (Index round = 0; round < parameters_.rounds; ++round) {
      if (since_peak >= kPeakSeconds) {
        comm_.barrier();
        peaks.push_back(total(comm_, measure_fma_peak(kPeakSeconds)));
        since_peak = 0;
        // The measurement has displaced code and data from the caches, and history from the branch predictors.
        if (seconds < kPeakSeconds) transform_once();
      }
      seconds = timed_round();
      since_peak += seconds;
      record.seconds.push_back(seconds);
      for (std::size_t i = 0; i < kPhases.size(); ++i) {
        own[i].push_back(seconds_in(timers_, kPhases[i]));
        phases[i].push_back(largest(comm_, own[i].back()));
      }
    }
    record.legendre_ranks = over_ranks(own[0]);
    record.exchange_ranks = over_ranks(own[1]);
    record.rings_ranks = over_ranks(own[2]);
    std::array<Index, 2> bytes{bytes_sent_, 0};
    comm_.sum(std::span<Index>(bytes));
    record.exchange_bytes = bytes[0];
    record.peak_bytes = core::peak_resident_bytes();
    comm_.max({&record.peak_bytes, 1});
    record.legendre_seconds = median(phases[0]);
    record.exchange_seconds = median(phases[1]);
    record.rings_seconds = median(phases[2]);
    record.fma = total(comm_, transform::legendre_fma(transform_->spec(), comm_.rank()));
    record.fma_peak = median(peaks);
    record.fma_fraction = record.fma / record.legendre_seconds / record.fma_peak;
    record.error = bench_error(*transform_, parameters_.direction, *alm_, *map_);
    return record;
  }

 private:
  // Collective; only rank 0 gets the result.
  RankSeconds over_ranks(const std::vector<double>& rounds) const {
    const double mine = median(rounds);
    std::vector<double> all(core::at(comm_.size()));
    const std::vector<Index> counts(all.size(), sizeof(double));
    comm_.gather_bytes(&mine, sizeof(double), counts, all.data());
    if (!comm_.is_root()) return {};
    std::ranges::sort(all);
    return {all.front(), median(all), all.back()};
  }

  void transform_once() {
    switch (parameters_.direction) {
      case BenchDirection::kSynthesis:
        transform_->synthesis(*alm_, *map_);
        break;
      case BenchDirection::kAnalysis:
        transform_->quadrature(*map_, *alm_);
        break;
      case BenchDirection::kAdjoint:
        transform_->adjoint_synthesis(*map_, *alm_);
        break;
      case BenchDirection::kAdjointAnalysis:
        transform_->adjoint_quadrature(*alm_, *map_);
        break;
    }
  }

  double timed_round() {
    timers_ = {};
    bytes_sent_ = 0;
    comm_.barrier();
    const double start = core::now_seconds();
    transform_once();
    return largest(comm_, core::now_seconds() - start);
  }

  const comm::Communicator& comm_;
  BenchCase parameters_;
  core::PhaseTimers timers_;
  Index bytes_sent_ = 0;
  double plan_seconds_ = 0;
  std::optional<transform::FieldTransform<T>> transform_;
  std::optional<transform::AlmField<T>> alm_;
  std::optional<transform::MapField<T>> map_;
};

}  // namespace

transform::FieldTransformSpec spec_of(const BenchCase& parameters, int ranks) {
  transform::FieldTransformSpec spec;
  spec.kind = parameters.spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(parameters.spin);
  spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(parameters.lmax, parameters.lmax), ranks);
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_grid(parameters.grid));
  spec.pixels = std::make_shared<dist::PixelDistribution>(grid, ranks);
  spec.maps = parameters.maps;
  spec.campaign = parameters.maps > 1;
  spec.backend = parameters.backend;
  spec.options = {.engine = parameters.engine, .theta_resampling = parameters.theta_resampling};
  return spec;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void choose_backends(const comm::Communicator& comm, std::vector<BenchCase>& cases) {
  std::map<std::tuple<backend::Kind, std::string, core::Precision>, backend::Kind> kinds;
  for (BenchCase& one : cases) {
    const auto [known, is_new] = kinds.try_emplace({one.backend, one.engine, one.precision});
    if (is_new) known->second = transform::take_backend(comm, one.backend, one.precision, {.engine = one.engine});
    one.backend = known->second;
  }
}

BenchRecord run_bench(const comm::Communicator& comm, const BenchCase& parameters,
                      const std::optional<Index>& memory_limit) {
  if (parameters.precision == core::Precision::kSingle) return Bench<float>(comm, parameters, memory_limit).run();
  return Bench<double>(comm, parameters, memory_limit).run();
}

}  // namespace armilla::bench
