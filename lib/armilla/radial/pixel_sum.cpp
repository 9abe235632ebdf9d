#include <armilla/radial/pixel_sum.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace armilla::radial {

using core::at;
using core::kPi;

namespace {

Index modulo(Index i, Index n) { return ((i % n) + n) % n; }

double pixel_width(const grid::Ring& ring) { return 2 * kPi / static_cast<double>(ring.nphi); }

}  // namespace

Index row_weights(const ConvolutionSpec& spec, const RowShape& shape, const grid::Ring& in, double place,
                  std::vector<double>& weights) {
  const double width = pixel_width(in), reach = shape.phi_end / width, limit = chord_limit(spec.cutoff);
  auto first = static_cast<Index>(std::ceil(place - reach));
  auto count = static_cast<Index>(std::floor(place + reach)) - first + 1;
  if (shape.phi_end >= kPi || count >= in.nphi) {
    first = static_cast<Index>(std::ceil(place - static_cast<double>(in.nphi) / 2));
    count = in.nphi;
  }
  weights.clear();
  for (Index k = 0; k < count; ++k) {
    const double chord = shape.chord_at((place - static_cast<double>(first + k)) * width);
    weights.push_back(chord <= limit ? spec.value(chord) : 0);
  }
  return first;
}

PixelSum::PixelSum(Index longest) {
  weights_.reserve(at(longest));
  kept_weights_.reserve(at(kPairsAtOnce * longest + kWeights));
}

void PixelSum::add(const RowPlan& plan, Index p, Index pairs, bool north, Index fields, RingStore& store,
                   const Targets& targets) {
  Index nphi = 0;
  for (Index g = 0; g < pairs; ++g) {
    const grid::Ring* out = ring_of(plan.out(), p + g, north);
    if (pairs > 1 && (out == nullptr || (nphi > 0 && nphi != out->nphi))) {
      for (Index one = 0; one < pairs; ++one)
        add(plan, p + one, 1, north, fields, store, {{targets.rings[one]}, targets.field_stride});
      return;
    }
    if (out == nullptr) return;
    nphi = out->nphi;
  }
  const Index first = plan.reach(p).first, end = plan.reach(p + pairs - 1).end;
  for (Index q = first; q < end; ++q) {
    if (!plan.needs_pixels(q)) continue;
    for (bool crossed : {false, true}) add_row(plan, p, pairs, q, crossed, north, fields, store, targets);
    if (static_cast<Index>(kept_weights_.size()) >= kWeights) flush(nphi, fields, store, targets);
  }
  flush(nphi, fields, store, targets);
}

void PixelSum::add_row(const RowPlan& plan, Index p, Index pairs, Index q, bool crossed, bool north, Index fields,
                       RingStore& store, const Targets& targets) {
  const grid::Ring* in = ring_of(plan.in(), q, north != crossed);
  if (in == nullptr) return;
  for (Index g = 0; g < pairs; ++g) {
    const grid::Ring& out = *ring_of(plan.out(), p + g, north);
    if (!plan.in_pixels(p + g, q, crossed, north)) continue;
    const auto shape = plan.shape(p + g, q, crossed);
    if (!shape) continue;
    if (in->nphi != out.nphi) {
      add_unlike(plan.spec(), *shape, out, *in, store.pixels(q, 0, north != crossed), store.field_stride(), fields,
                 targets.rings[g], targets.field_stride);
      continue;
    }
    const Index first = row_weights(plan.spec(), *shape, *in, (out.phi0 - in->phi0) / pixel_width(*in), weights_);
    if (weights_.empty()) continue;
    const Index n = in->nphi, count = static_cast<Index>(weights_.size());
    const auto place = static_cast<Index>(kept_weights_.size());
    kept_weights_.insert(kept_weights_.end(), weights_.begin(), weights_.end());
    if (!stencils_.empty() && stencils_.back().q == q && stencils_.back().in_north == (north != crossed)) {
      // Merges the window of the previous ring with this one, starting at a common pixel.
      Stencil& last = stencils_.back();
      const Index apart = modulo(first - last.start + n / 2, n) - n / 2, before = std::max(Index{0}, -apart);
      if (before + std::max(last.end[0], apart + count) <= plan.longest_sum()) {
        last.start = modulo(last.start - before, n);
        last.first[0] += before;
        last.end[0] += before;
        last.weights[g] = place;
        last.first[g] = before + apart;
        last.end[g] = last.first[g] + count;
        continue;
      }
    }
    Stencil& row = stencils_.emplace_back(Stencil{q, north != crossed, modulo(first, n), {}, {}, {}});
    row.weights[g] = place;
    row.end[g] = count;
  }
}

void PixelSum::add_unlike(const ConvolutionSpec& spec, const RowShape& shape, const grid::Ring& out,
                          const grid::Ring& in, const double* pixels, Index stride, Index fields, double* sums,
                          Index sums_stride) {
  const Index common = std::gcd(out.nphi, in.nphi);
  const Index out_step = out.nphi / common, in_step = in.nphi / common;
  for (Index c = 0; c < out_step; ++c) {
    // Output pixels that are `out_step` apart have the same weights.
    const double phi = out.phi0 - in.phi0 + static_cast<double>(c) * pixel_width(out);
    const Index first = row_weights(spec, shape, in, phi / pixel_width(in), weights_);
    if (weights_.empty()) continue;
    const auto count = static_cast<Index>(weights_.size());
    const Index start = modulo(first, in.nphi);
    for (Index field = 0; field < fields; ++field)
      for (Index turn = 0; turn < common; ++turn) {
        const double* from = pixels + field * stride + (start + turn * in_step) % in.nphi;
        double sum = 0;
        for (Index k = 0; k < count; ++k) sum += weights_[at(k)] * from[k];
        sums[field * sums_stride + c + turn * out_step] += sum;
      }
  }
}

// Input rings wrap around at different output pixels. Each range between two of these is summed without wrapping.
void PixelSum::flush(Index nphi, Index fields, RingStore& store, const Targets& targets) {
  ends_.assign(1, nphi);
  for (const Stencil& stencil : stencils_) ends_.push_back(nphi - stencil.start);
  std::ranges::sort(ends_);
  for (Index field = 0; field < fields && !stencils_.empty(); ++field) {
    Index first = 0;
    for (const Index end : ends_) {
      if (end == first) continue;
      terms_.clear();
      for (const Stencil& stencil : stencils_) {
        StencilTerm& term = terms_.emplace_back();
        term.in = store.pixels(stencil.q, field, stencil.in_north) + (stencil.start + first) % nphi;
        for (int g = 0; g < 2; ++g) {
          term.weights[g] = kept_weights_.data() + stencil.weights[g];
          term.first[g] = stencil.first[g];
          term.end[g] = stencil.end[g];
        }
      }
      double* rings[2] = {};
      for (int g = 0; g < 2; ++g)
        if (targets.rings[g] != nullptr) rings[g] = targets.rings[g] + field * targets.field_stride + first;
      add_stencils(terms_.data(), static_cast<Index>(terms_.size()), end - first, {rings[0], rings[1]});
      first = end;
    }
  }
  stencils_.clear();
  kept_weights_.clear();
}

}  // namespace armilla::radial
