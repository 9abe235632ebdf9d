#include <armilla/cost/transform_work.hpp>
#include <armilla/dist/work.hpp>
#include <armilla/resample/cost_model.hpp>
#include <armilla/transform/operation_count.hpp>

#include <algorithm>
#include <cmath>

namespace armilla::cost {

namespace {

/// Measured ratio of the time of rings in single precision to that in double (docs/performance.md). The Legendre stage
/// computes in double in both cases.
constexpr double kRingsInSingle = 0.6;

std::vector<dist::ExchangedDelta> deltas_of(const transform::FieldTransformSpec& spec) {
  std::vector<dist::ExchangedDelta> deltas;
  for (const transform::SpinField& field : spec.kind.spin_fields())
    deltas.push_back({field.spin, field.components * spec.maps});
  return deltas;
}

bool is_equidistant(const grid::RingGrid& grid) {
  const auto pairs = grid.pairs();
  if (pairs.size() < 3) return true;
  const auto theta = [&](std::size_t p) { return std::atan2(pairs[p].sin_theta, pairs[p].cos_theta); };
  const double step = theta(1) - theta(0), last = theta(pairs.size() - 1) - theta(pairs.size() - 2);
  const double middle = theta(pairs.size() / 2) - theta(pairs.size() / 2 - 1);
  return std::abs(last - step) < 1e-9 * step && std::abs(middle - step) < 1e-9 * step;
}

}  // namespace

TransformCounts::TransformCounts(const transform::FieldTransformSpec& spec, Index bytes_of_number)
    : lmax_(spec.alm->layout().lmax()),
      components_(spec.kind.components()),
      bytes_of_number_(bytes_of_number),
      pixels_(static_cast<double>(spec.pixels->grid().npix())),
      coefficients_(static_cast<double>(spec.alm->layout().size())),
      volume_(*spec.alm, *spec.pixels, deltas_of(spec)) {
  using enum Kernel;
  const bool resampled = spec.resampled();
  const auto rings = resampled ? transform::CountedRings::kSource : transform::CountedRings::kGrid;
  for (const transform::SpinField& field : spec.kind.spin_fields())
    stages_.push_back({field.spin == 0 ? kScalarSynthesis : kSpinSynthesis,
                       field.spin == 0 ? kScalarAdjoint : kSpinAdjoint,
                       field.spin,
                       transform::legendre_steps_by_m(spec, field, rings),
                       {}});
  const auto resampling = [&](Index degree) {
    using enum resample::TargetRings;
    return static_cast<double>(components_) *
           resample::resampling_fma(degree, spec.grid_pairs(),
                                    is_equidistant(spec.pixels->grid()) ? kEquidistant : kAny);
  };
  if (resampled) resampling_by_m_ = resampling(lmax_);
  // Its FFTs have the degree of the rings, whatever lmax.
  if (spec.theta_quadrature()) quadrature_by_m_ = resampling(spec.pixels->grid().analysis_limits().circle.degree);
  const auto& all = spec.pixels->grid().rings();
  for (const grid::Ring& ring : all) {
    longest_ring_ = std::max(longest_ring_, static_cast<double>(ring.nphi));
    equal_rings_ = equal_rings_ && ring.nphi == all.front().nphi;
  }
  share(spec);
}

TransformCounts::TransformCounts(const TransformCounts& counts, const transform::FieldTransformSpec& spec)
    : TransformCounts(counts) {
  volume_ = dist::ExchangeVolume(*spec.alm, *spec.pixels, deltas_of(spec));
  share(spec);
}

void TransformCounts::share(const transform::FieldTransformSpec& spec) {
  const auto ranks = core::at(spec.alm->ranks());
  std::vector<double> orders(ranks, 0.0), all(ranks, 0.0);
  const Index step = spec.alm->m_step();
  const std::size_t count = stages_.empty() ? 0 : stages_.front().steps.size();
  std::vector<std::size_t> owner(count);
  for (std::size_t number = 0; number < count; ++number) {
    owner[number] = core::at(spec.alm->owner(static_cast<Index>(number) * step));
    orders[owner[number]] += 1;
  }
  maps_ = spec.maps;
  for (Stage& stage : stages_) {
    std::vector<double> own(ranks, 0.0);
    const double fma = transform::fma_of_step(stage.spin, maps_);
    for (std::size_t number = 0; number < count; ++number) own[owner[number]] += fma * stage.steps[number];
    stage.load = over_ranks(own);
    for (std::size_t rank = 0; rank < ranks; ++rank) all[rank] += own[rank];
  }
  on_device_ = spec.on_device();
  legendre_ = over_ranks(all);
  orders_ = over_ranks(orders);
  std::vector<double> ring_work(ranks, 0.0);
  for (int rank = 0; rank < spec.pixels->ranks(); ++rank)
    for (Index p = spec.pixels->pair_begin(rank); p < spec.pixels->pair_begin(rank + 1); ++p) {
      const grid::RingPair& pair = spec.pixels->grid().pairs()[core::at(p)];
      for (const Index ring : {pair.north, pair.south})
        if (ring >= 0) ring_work[core::at(rank)] += dist::ring_work(spec.pixels->grid().rings()[core::at(ring)].nphi);
    }
  rings_ = over_ranks(ring_work);
}

Work TransformCounts::of(const Passes& passes) const {
  using enum Kernel;
  Work work;
  const auto size = static_cast<double>(lmax_ + 1);
  const auto add = [&](Kernel kernel, double of_size, const Load& load, double times) {
    if (times > 0 && load.total > 0) work.add(Item{kernel, of_size, maps_, {times * load.total, times * load.largest}});
  };
  const double to_rings = passes.synthesis + passes.delta_synthesis, to_m = passes.adjoint + passes.delta_adjoint;
  for (const Stage& stage : stages_) {
    add(stage.synthesis, size, stage.load, to_rings);
    add(stage.adjoint, size, stage.load, to_m);
  }
  add(kResampling, size, orders_,
      static_cast<double>(maps_) * (resampling_by_m_ * (to_rings + to_m) + quadrature_by_m_ * passes.exact_quadrature));
  const double ring_share = static_cast<double>(components_ * maps_) * (bytes_of_number_ == 4 ? kRingsInSingle : 1.0);
  add(equal_rings_ ? kEqualRings : kMixedRings, longest_ring_, rings_, ring_share * passes.synthesis);
  add(equal_rings_ ? kEqualRingsAdjoint : kMixedRingsAdjoint, longest_ring_, rings_, ring_share * passes.adjoint);
  if (volume_.own.size() > 1) {
    const auto bytes = static_cast<double>(2 * bytes_of_number_);
    work.add(Exchange{.calls = to_rings + to_m,
                      .total_bytes = bytes * static_cast<double>(volume_.total),
                      .largest_rank_bytes = bytes * static_cast<double>(volume_.largest_rank()),
                      .largest_pair_bytes = bytes * static_cast<double>(volume_.largest_pair),
                      .largest_buffer = volume_.largest_buffer(),
                      .partners = volume_.partners,
                      .orders = on_device_ ? 0 : mean_orders()});
  }
  return work;
}

Work TransformCounts::of_whole_maps(const Passes& passes) const {
  Work work = of(passes);
  const auto ranks = static_cast<double>(volume_.own.size()), maps = static_cast<double>(maps_);
  const double most = std::ceil(maps / ranks);  // of one rank
  for (Item& item : work.items) item.load.largest = item.load.total * most / maps;
  work.exchanges.clear();
  if (ranks == 1) return work;
  const double number = static_cast<double>(bytes_of_number_ * components_);
  for (const double bytes : {number * pixels_, 2 * number * coefficients_})
    work.add(Exchange{.calls = 1,
                      .kind = ExchangeKind::kEstimated,
                      .total_bytes = maps * bytes * (ranks - 1) / ranks,
                      .largest_rank_bytes = most * bytes * (ranks - 1) / ranks,
                      .largest_pair_bytes = most * bytes / ranks,
                      .largest_buffer = static_cast<Index>(most * bytes) / (2 * bytes_of_number_),
                      .partners = static_cast<int>(ranks) - 1});
  return work;
}

Load TransformCounts::numbers(bool both_sides) const {
  std::vector<double> numbers;
  for (std::size_t rank = 0; rank < volume_.own.size(); ++rank)
    numbers.push_back(static_cast<double>(volume_.receive[rank] +
                                          (both_sides && volume_.own.size() > 1 ? volume_.send[rank] : Index{0})));
  return over_ranks(numbers);
}

Work TransformCounts::of_ring_modes(double corrections) const {
  Work work;
  const Load once = numbers(false);
  work.add(Item{Kernel::kRingModes,
                static_cast<double>(lmax_ + 1),
                maps_,
                {corrections * once.total, corrections * once.largest}});
  return work;
}

Work TransformCounts::of_construction() const {
  Work work;
  // Delta is allocated but not touched. Its size for one map is used as an estimate of the size of the tables.
  Load load = numbers(true);
  load.total /= static_cast<double>(maps_);
  load.largest /= static_cast<double>(maps_);
  work.add(Item{Kernel::kTables, static_cast<double>(lmax_ + 1), 1, load});
  return work;
}

}  // namespace armilla::cost
