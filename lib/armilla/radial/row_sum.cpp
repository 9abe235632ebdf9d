#include <armilla/radial/row_sum.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace armilla::radial {

using core::at;
using core::kPi;

namespace {

// Modes at a time, so that those of all rings in reach stay in the second-level cache.
constexpr Index kModeBlock = 4 * kModeStep;
// Rows at a time, whose spectra stay in the first-level cache.
constexpr Index kRowGroup = 8;

/// sin^2(angle / 2) of pixels that are apart by phi.
double chord_at(const RowShape& shape, double phi) {
  const double half = std::sin(phi / 2);
  return shape.chord + shape.g2 * half * half;
}

}  // namespace

core::MemoryEstimate RowSum::Sizes::memory(const Sizes& sizes, const fft::RingFftSizes& ffts) {
  core::MemoryEstimate estimate = fft::RingFftWorkspace<double>::memory(ffts);
  const Index numbers = 2 * sizes.fields * (sizes.pixels + 2 * sizes.modes) + RingWork::numbers(sizes.pixels) +
                        2 * sizes.modes + sizes.longest;
  estimate.kept += numbers * static_cast<Index>(sizeof(double));
  return estimate;
}

RowSum::RowSum(const Sizes& sizes, const fft::RingFftSizes& ffts)
    : sizes_(sizes),
      work_(ffts, sizes.pixels),
      sums_(2 * sizes.fields * sizes.pixels),
      modes_(4 * sizes.fields * sizes.modes),
      cos_x_(sizes.modes),
      spectra_(kRowGroup * kModeBlock) {
  weights_.reserve(at(sizes.longest));
}

void RowSum::sum(const RowPlan& plan, Index p, Index fields, const fft::PlanCache<double>& plans, RingStore& store) {
  if (plan.samples(p) > 0) {
    find_rows(plan, p);
    sum_modes(plan, p, fields, plans, store);
  } else {
    std::fill(sums_.span().begin(), sums_.span().end(), 0.0);
  }
  const RowPlan::PairRange reach = plan.reach(p);
  for (bool north : {true, false}) {
    if (ring_of(plan.out(), p, north) == nullptr) continue;
    for (Index q = reach.first; q < reach.end; ++q) {
      if (!plan.needs_pixels(q)) continue;
      for (bool crossed : {false, true}) {
        if (ring_of(plan.in(), q, north != crossed) == nullptr || !plan.in_pixels(p, q, crossed, north)) continue;
        if (const auto shape = plan.shape(p, q, crossed)) add_pixels(plan, p, q, crossed, *shape, north, fields, store);
      }
    }
  }
}

void RowSum::find_rows(const RowPlan& plan, Index p) {
  rows_.clear();
  samples_.clear();
  const Index points = plan.samples(p);
  const double step = 2 * kPi / static_cast<double>(points);
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
      row.count = std::min((points - 1) / 2, static_cast<Index>(shape->phi_end / step)) + 1;
      for (Index s = 0; s < row.count; ++s)
        samples_.push_back((s == 0 ? 1 : 2) / static_cast<double>(points) *
                           plan.spec().value(chord_at(*shape, step * static_cast<double>(s))));
      rows_.push_back(row);
    }
}

void RowSum::sum_modes(const RowPlan& plan, Index p, Index fields, const fft::PlanCache<double>& plans,
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
                              {target(field, true), target(field, false)}, work_);
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

void RowSum::add_pixels(const RowPlan& plan, Index p, Index q, bool crossed, const RowShape& shape, bool north,
                        Index fields, RingStore& store) {
  const grid::Ring& out = *ring_of(plan.out(), p, north);
  const grid::Ring& in = *ring_of(plan.in(), q, north != crossed);
  const Index common = std::gcd(out.nphi, in.nphi);
  const Index out_step = out.nphi / common, in_step = in.nphi / common;
  const double per_pixel = 2 * kPi / static_cast<double>(in.nphi);
  const double reach = shape.phi_end / per_pixel;
  const double limit = chord_limit(plan.spec().cutoff);
  for (Index c = 0; c < out_step; ++c) {
    // Where the output pixel lies on the input ring, in pixels; those `common` turns on have the same weights.
    const double phi = out.phi0 - in.phi0 + 2 * kPi * static_cast<double>(c) / static_cast<double>(out.nphi);
    const double x = phi / per_pixel;
    auto first = static_cast<Index>(std::ceil(x - reach));
    auto count = static_cast<Index>(std::floor(x + reach)) - first + 1;
    if (shape.phi_end >= kPi || count >= in.nphi) {
      first = static_cast<Index>(std::ceil(x - static_cast<double>(in.nphi) / 2));
      count = in.nphi;
    }
    if (count <= 0) continue;
    weights_.clear();
    for (Index k = 0; k < count; ++k) {
      const double chord = chord_at(shape, (x - static_cast<double>(first + k)) * per_pixel);
      weights_.push_back(chord <= limit ? plan.spec().value(chord) : 0);
    }
    const Index start = ((first % in.nphi) + in.nphi) % in.nphi;
    for (Index field = 0; field < fields; ++field) {
      const double* source = store.pixels(q, field, north != crossed);
      double* sums = target(field, north);
      if (out.nphi == in.nphi) {
        add_stencil(weights_.data(), count, source + start, in.nphi - start, sums);
        add_stencil(weights_.data(), count, source, start, sums + in.nphi - start);
        continue;
      }
      for (Index turn = 0; turn < common; ++turn) {
        const double* from = source + (start + turn * in_step) % in.nphi;
        double sum = 0;
        for (Index k = 0; k < count; ++k) sum += weights_[at(k)] * from[k];
        sums[c + turn * out_step] += sum;
      }
    }
  }
}

}  // namespace armilla::radial
