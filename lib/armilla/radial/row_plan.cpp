#include <armilla/radial/row_kernels.hpp>
#include <armilla/radial/row_plan.hpp>
#include <armilla/radial/support.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace armilla::radial {

using core::at;
using core::kPi;

namespace {

std::vector<double> folded_colatitudes(const grid::RingGrid& grid) {
  std::vector<double> theta;
  for (const grid::RingPair& pair : grid.pairs()) theta.push_back(std::atan2(pair.sin_theta, pair.cos_theta));
  return theta;
}

double square(double x) { return x * x; }

// Loads and stores of a multiply-add, in FMA.
constexpr double kMultiplyAdd = 4;

}  // namespace

double ConvolutionSpec::value(double chord) const {
  return table ? table->table()(chord) : kernel->value(2 * std::asin(std::sqrt(std::min(1.0, chord))));
}

double ring_fft_count(Index nphi) {
  const auto n = static_cast<double>(nphi);
  return 4 * n * std::log2(n + 1);
}

const grid::Ring* ring_of(const grid::RingGrid& grid, Index pair, bool north) {
  const grid::RingPair& rings = grid.pairs()[at(pair)];
  const Index ring = north ? rings.north : rings.south;
  return ring < 0 ? nullptr : &grid.rings()[at(ring)];
}

RowPlan::RowPlan(const grid::RingGrid& in, const grid::RingGrid& out, ConvolutionSpec spec, PairRange own)
    : in_(in),
      out_(out),
      spec_(std::move(spec)),
      own_(own),
      reach_chord_(chord_limit(spec_.cutoff)),
      theta_in_(folded_colatitudes(in)),
      theta_out_(folded_colatitudes(out)),
      samples_(at(own.end - own.first), Index{0}),
      equal_pixels_(at(own.end - own.first), spec_.direct || !spec_.degree),
      in_modes_(theta_in_.size(), Index{0}),
      needs_pixels_(theta_in_.size(), false) {
  for (Index p = own.first; p < own.end; ++p) plan_pair(p);
}

RowPlan::PairRange RowPlan::reach(Index p) const {
  const double theta = theta_out_[at(p)], margin = spec_.cutoff + 1e-12;
  const auto first = std::lower_bound(theta_in_.begin(), theta_in_.end(), theta - margin);
  const bool over_equator = kPi - theta - theta_in_.back() <= margin;
  const auto end = over_equator ? theta_in_.end() : std::upper_bound(first, theta_in_.end(), theta + margin);
  return {first - theta_in_.begin(), end - theta_in_.begin()};
}

std::optional<RowShape> RowPlan::shape(Index p, Index q, bool crossed) const {
  const double theta = theta_out_[at(p)], other = theta_in_[at(q)];
  const double chord = square(std::sin((crossed ? kPi - theta - other : theta - other) / 2));
  if (chord > reach_chord_) return std::nullopt;
  const double g2 = out_.pairs()[at(p)].sin_theta * in_.pairs()[at(q)].sin_theta;
  const double share = (reach_chord_ - chord) / g2;  // infinite at the poles
  return RowShape{chord, g2, share < 1 ? 2 * std::asin(std::sqrt(share)) : kPi};
}

bool RowPlan::in_pixels(Index p, Index q, bool crossed, bool north) const {
  if (spec_.direct) return true;
  const grid::Ring* out = ring_of(out_, p, north);
  const grid::Ring* in = ring_of(in_, q, north != crossed);
  return out->nphi == in->nphi ? bool(equal_pixels_[at(p - own_.first)]) : !spec_.degree;
}

Index RowPlan::modes(Index p, Index q) const {
  const double g2 = out_.pairs()[at(p)].sin_theta * in_.pairs()[at(q)].sin_theta;
  Index most = row_modes(*spec_.degree, std::sqrt(g2));
  if (spec_.truncate)
    for (bool north : {true, false}) {
      if (const grid::Ring* ring = ring_of(out_, p, north)) most = std::min(most, (ring->nphi - 1) / 2);
      if (const grid::Ring* ring = ring_of(in_, q, north)) most = std::min(most, (ring->nphi - 1) / 2);
    }
  return (most + kModeStep) / kModeStep * kModeStep;
}

Index RowPlan::add_samples(Index p, const RowShape& row, std::vector<double>& samples) const {
  const Index points = this->samples(p);
  const double step = 2 * kPi / static_cast<double>(points);
  const Index count = std::min((points - 1) / 2, static_cast<Index>(row.phi_end / step)) + 1;
  for (Index s = 0; s < count; ++s)
    samples.push_back((s == 0 ? 1 : 2) / static_cast<double>(points) *
                      spec_.value(row.chord_at(step * static_cast<double>(s))));
  return count;
}

void RowPlan::plan_pair(Index p) {
  const PairRange range = reach(p);
  const auto for_rows = [&](const auto& visit) {  // of rings that are there
    for (Index q = range.first; q < range.end; ++q)
      for (bool crossed : {false, true}) {
        const auto row = shape(p, q, crossed);
        if (!row) continue;
        for (bool north : {true, false}) {
          const grid::Ring* out = ring_of(out_, p, north);
          const grid::Ring* in = ring_of(in_, q, north != crossed);
          if (out != nullptr && in != nullptr) visit(q, crossed, north, *row, *out, *in);
        }
      }
  };
  const auto pixel_count = [](const RowShape& row, const grid::Ring& out, const grid::Ring& in) {
    return (row.phi_end / kPi * static_cast<double>(in.nphi) + 1) * static_cast<double>(out.nphi);
  };
  const auto mode_count = [&](Index q, const RowShape& row) {
    const auto most = static_cast<double>(modes(p, q));
    return most * (row.phi_end / kPi * most + kMultiplyAdd);
  };
  double equal_pixels = 0, equal_modes = 0, ffts = 0;
  bool all_equal = true;
  for (bool north : {true, false})
    if (const grid::Ring* out = ring_of(out_, p, north)) ffts += 2 * ring_fft_count(out->nphi);
  if (!spec_.direct && spec_.degree) {
    for_rows([&](Index q, bool, bool, const RowShape& row, const grid::Ring& out, const grid::Ring& in) {
      if (out.nphi != in.nphi) {
        all_equal = false;
      } else {
        equal_pixels += pixel_count(row, out, in);
        equal_modes += mode_count(q, row);
      }
    });
    equal_pixels_[at(p - own_.first)] = equal_pixels <= equal_modes + (all_equal ? ffts : 0);
  }

  Index most = 0;
  for_rows([&](Index q, bool crossed, bool north, const RowShape& row, const grid::Ring& out, const grid::Ring& in) {
    if (in_pixels(p, q, crossed, north)) {
      needs_pixels_[at(q)] = true;
      longest_sum_ = std::max(
          longest_sum_, std::min(in.nphi, static_cast<Index>(row.phi_end / kPi * static_cast<double>(in.nphi)) + 2));
      count_ += pixel_count(row, out, in);
    } else {
      const Index here = modes(p, q);
      in_modes_[at(q)] = std::max(in_modes_[at(q)], here);
      most = std::max(most, here);
      count_ += mode_count(q, row);
    }
  });
  if (most == 0) return;
  count_ += ffts;
  samples_[at(p - own_.first)] = 2 * most + 1;
}

}  // namespace armilla::radial
