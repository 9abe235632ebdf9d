#include <armilla/radial/row_sum.hpp>

#include <algorithm>

namespace armilla::radial {

using core::at;

core::MemoryEstimate RowSum::Sizes::memory(const Sizes& sizes, const fft::RingFftSizes& ffts) {
  core::MemoryEstimate estimate = fft::RingFftWorkspace<double>::memory(ffts);
  const Index numbers =
      2 * sizes.fields * (kPairsAtOnce * sizes.pixels + 2 * sizes.modes) + RingWork::numbers(sizes.pixels) +
      RowSpectra::numbers(sizes.modes, sizes.samples, sizes.row_fft) + PixelSum::numbers(sizes.longest);
  estimate.kept += numbers * static_cast<Index>(sizeof(double));
  return estimate;
}

RowSum::RowSum(const Sizes& sizes, const fft::RingFftSizes& ffts)
    : sizes_(sizes),
      work_(ffts, sizes.pixels),
      pixels_(sizes.longest),
      sums_(2 * kPairsAtOnce * sizes.fields * sizes.pixels),
      modes_(4 * sizes.fields * sizes.modes),
      spectra_(sizes.modes, sizes.samples, sizes.row_fft) {}

void RowSum::sum(const RowPlan& plan, Index p, Index pairs, Index fields, const fft::PlanCache<double>& plans,
                 RingStore& store) {
  for (Index g = 0; g < pairs; ++g) {
    if (plan.out_modes(p + g) > 0) {
      find_rows(plan, p + g);
      sum_modes(plan, p + g, g, fields, plans, store);
    } else {
      std::fill_n(target(g, 0, true), 2 * sizes_.fields * sizes_.pixels, 0.0);
    }
  }
  for (bool north : {true, false}) {
    PixelSum::Targets targets{{}, 2 * sizes_.pixels};
    for (Index g = 0; g < pairs; ++g) targets.rings[g] = target(g, 0, north);
    pixels_.add(plan, p, pairs, north, fields, store, targets);
  }
}

void RowSum::find_rows(const RowPlan& plan, Index p) {
  rows_.clear();
  spectra_.clear();
  const RowPlan::PairRange reach = plan.reach(p);
  for (Index q = reach.first; q < reach.end; ++q)
    for (bool crossed : {false, true}) {
      const auto found = plan.mode_row(p, q, crossed);
      if (!found) continue;
      const RowSampling sampling = plan.sampling(p, q, crossed);
      const Index samples = plan.add_samples(sampling, found->shape, spectra_.samples());
      if (samples == 0) continue;
      spectra_.add(sampling, samples);
      rows_.push_back({q, crossed, {found->used[0], found->used[1]}, sampling.modes});
    }
}

void RowSum::sum_modes(const RowPlan& plan, Index p, Index g, Index fields, const fft::PlanCache<double>& plans,
                       RingStore& store) {
  const Index count = plan.out_modes(p), rows = static_cast<Index>(rows_.size());
  for (Index field = 0; field < fields; ++field)
    for (bool north : {true, false}) {
      const auto y = modes(field, north);
      std::fill_n(y.re, count, 0.0);
      std::fill_n(y.im, count, 0.0);
    }
  for (Index first = 0; first < count; first += spectra_.block())
    for (Index group = 0; group < rows; group += RowSpectra::kGroup) {
      const Index end = std::min(group + RowSpectra::kGroup, rows);
      spectra_.make(group, end, first, plans, work_);
      add_group(group, end, first, fields, store);
    }
  const grid::Ring* const rings[2] = {ring_of(plan.out(), p, true), ring_of(plan.out(), p, false)};
  for (Index field = 0; field < fields; ++field)
    RingStore::transform_back(plans, rings, {modes(field, true), modes(field, false)}, count, plan.spec().truncate,
                              {target(g, field, true), target(g, field, false)}, work_);
}

void RowSum::add_group(Index begin, Index end, Index first, Index fields, RingStore& store) {
  Index most = 0;
  for (Index r = begin; r < end; ++r) most = std::max(most, std::min(spectra_.block(), rows_[at(r)].modes - first));
  RowTerm terms[RowSpectra::kGroup];
  for (Index field = 0; field < fields; ++field)
    for (bool north : {true, false})
      for (Index step = 0; step < most; step += kModeStep) {  // rows end at multiples of kModeStep
        Index count = 0;
        for (Index r = begin; r < end; ++r) {
          const Row& row = rows_[at(r)];
          if (!row.used[north ? 0 : 1] || first + step >= row.modes) continue;
          const auto x = store.modes(row.q, field, north != row.crossed) + (first + step);
          terms[count++] = {spectra_.spectrum(r) + step, x.re, x.im};
        }
        const auto y = modes(field, north) + (first + step);
        add_rows(terms, count, kModeStep, y.re, y.im);
      }
}

}  // namespace armilla::radial
