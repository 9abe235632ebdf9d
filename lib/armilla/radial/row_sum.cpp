#include <armilla/radial/row_sum.hpp>

#include <algorithm>
#include <cmath>

namespace armilla::radial {

using core::at;
using core::kPi;

namespace {

// Modes at a time, so that those of all rings in reach stay in the second-level cache.
constexpr Index kModeBlock = 4 * kModeStep;
// Rows at a time, whose spectra stay in the first-level cache.
constexpr Index kRowGroup = 8;

}  // namespace

core::MemoryEstimate RowSum::Sizes::memory(const Sizes& sizes, const fft::RingFftSizes& ffts) {
  core::MemoryEstimate estimate = fft::RingFftWorkspace<double>::memory(ffts);
  const Index numbers = 2 * sizes.fields * (kPairsAtOnce * sizes.pixels + 2 * sizes.modes) +
                        RingWork::numbers(sizes.pixels) + 2 * sizes.modes + PixelSum::numbers(sizes.longest);
  estimate.kept += numbers * static_cast<Index>(sizeof(double));
  return estimate;
}

RowSum::RowSum(const Sizes& sizes, const fft::RingFftSizes& ffts)
    : sizes_(sizes),
      work_(ffts, sizes.pixels),
      pixels_(sizes.longest),
      sums_(2 * kPairsAtOnce * sizes.fields * sizes.pixels),
      modes_(4 * sizes.fields * sizes.modes),
      cos_x_(sizes.modes),
      spectra_(kRowGroup * kModeBlock) {}

void RowSum::sum(const RowPlan& plan, Index p, Index pairs, Index fields, const fft::PlanCache<double>& plans,
                 RingStore& store) {
  for (Index g = 0; g < pairs; ++g) {
    if (plan.samples(p + g) > 0) {
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
  samples_.clear();
  const RowPlan::PairRange reach = plan.reach(p);
  for (Index q = reach.first; q < reach.end; ++q)
    for (bool crossed : {false, true}) {
      const auto shape = plan.shape(p, q, crossed);
      if (!shape) continue;
      Row row{q, crossed, {}, 0, static_cast<Index>(samples_.size()), 0};
      for (bool north : {true, false})
        row.used[north ? 0 : 1] = ring_of(plan.out(), p, north) != nullptr &&
                                  ring_of(plan.in(), q, north != crossed) != nullptr &&
                                  !plan.in_pixels(p, q, crossed, north);
      if (!row.used[0] && !row.used[1]) continue;
      row.modes = plan.modes(p, q);
      row.count = plan.add_samples(p, *shape, samples_);
      rows_.push_back(row);
    }
}

void RowSum::sum_modes(const RowPlan& plan, Index p, Index g, Index fields, const fft::PlanCache<double>& plans,
                       RingStore& store) {
  Index count = 0;
  for (const Row& row : rows_) count = std::max(count, row.modes);
  const double step = 2 * kPi / static_cast<double>(plan.samples(p));
  // cos(step m), m = a kModeStep + b, from short tables.
  double fine[2][kModeStep];
  for (Index b = 0; b < kModeStep; ++b) {
    fine[0][b] = std::cos(step * static_cast<double>(b));
    fine[1][b] = std::sin(step * static_cast<double>(b));
  }
  for (Index m = 0; m < count; m += kModeStep) {
    const double c = std::cos(step * static_cast<double>(m)), s = std::sin(step * static_cast<double>(m));
    for (Index b = 0; b < kModeStep; ++b) cos_x_.data()[m + b] = c * fine[0][b] - s * fine[1][b];
  }

  for (Index field = 0; field < fields; ++field)
    for (bool north : {true, false}) {
      const auto y = modes(field, north);
      std::fill_n(y.re, count, 0.0);
      std::fill_n(y.im, count, 0.0);
    }
  const auto rows = static_cast<Index>(rows_.size());
  for (Index first = 0; first < count; first += kModeBlock)
    for (Index group = 0; group < rows; group += kRowGroup)
      add_group(group, std::min(group + kRowGroup, rows), first, fields, store);
  const grid::Ring* const rings[2] = {ring_of(plan.out(), p, true), ring_of(plan.out(), p, false)};
  for (Index field = 0; field < fields; ++field)
    RingStore::transform_back(plans, rings, {modes(field, true), modes(field, false)}, count, plan.spec().truncate,
                              {target(g, field, true), target(g, field, false)}, work_);
}

void RowSum::add_group(Index begin, Index end, Index first, Index fields, RingStore& store) {
  Index most = 0;
  for (Index r = begin; r < end; ++r) {
    const Row& row = rows_[at(r)];
    const Index here = std::min(kModeBlock, row.modes - first);
    if (here <= 0) continue;
    most = std::max(most, here);
    row_spectrum(samples_.data() + row.first, row.count, cos_x_.data() + first, here,
                 spectra_.data() + (r - begin) * kModeBlock);
  }
  RowTerm terms[kRowGroup];
  for (Index field = 0; field < fields; ++field)
    for (bool north : {true, false})
      for (Index step = 0; step < most; step += kModeStep) {  // rows end at such steps
        Index count = 0;
        for (Index r = begin; r < end; ++r) {
          const Row& row = rows_[at(r)];
          if (!row.used[north ? 0 : 1] || first + step >= row.modes) continue;
          const auto x = store.modes(row.q, field, north != row.crossed) + (first + step);
          terms[count++] = {spectra_.data() + (r - begin) * kModeBlock + step, x.re, x.im};
        }
        const auto y = modes(field, north) + (first + step);
        add_rows(terms, count, kModeStep, y.re, y.im);
      }
}

}  // namespace armilla::radial
