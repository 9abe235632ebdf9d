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

// Cost of the loads and stores of a multiply-add, in FMA.
constexpr double kMultiplyAdd = 4;
// Maximum deviation of rings from a lattice, in pixels.
constexpr double kLatticeError = 1e-10;

/// Whether the offsets between the pixels of two rings of equal length are half a step off the axis, if they form a
/// lattice that is symmetric about it; otherwise std::nullopt.
std::optional<bool> lattice_of(const grid::Ring& out, const grid::Ring& in) {
  const double offset = (out.phi0 - in.phi0) / (2 * kPi) * static_cast<double>(in.nphi);
  const double off = std::abs(std::remainder(offset, 1.0));
  if (off <= kLatticeError) return false;
  if (off >= 0.5 - kLatticeError) return true;
  return std::nullopt;
}

Index in_steps(Index modes) { return (modes + kModeStep - 1) / kModeStep * kModeStep; }

double pixel_count(const RowShape& row, const grid::Ring& out, const grid::Ring& in) {
  return (row.phi_end / kPi * static_cast<double>(in.nphi) + 1) * static_cast<double>(out.nphi);
}

/// Number of operations for the spectrum and the products.
double mode_count(const RowShape& row, double modes, double points) {
  const double samples = row.phi_end / (2 * kPi) * points;
  return modes * (samples + kMultiplyAdd);
}

}  // namespace

double ConvolutionSpec::value(double chord) const {
  if (table) return table->table()(chord);
  // A pixel at the cutoff is always within reach, in spite of rounding.
  return kernel->value(std::min(2 * std::asin(std::sqrt(std::min(1.0, chord))), kernel->end()));
}

double ring_fft_count(Index nphi) {
  const auto n = static_cast<double>(nphi);
  return 4 * n * std::log2(n + 1);
}

RowPlan::RowPlan(const grid::RingGrid& in, const grid::RingGrid& out, ConvolutionSpec spec, PairRange own)
    : in_(in),
      out_(out),
      spec_(std::move(spec)),
      own_(own),
      reach_chord_(chord_limit(spec_.cutoff)),
      theta_in_(folded_colatitudes(in)),
      theta_out_(folded_colatitudes(out)),
      out_modes_(at(own.end - own.first), Index{0}),
      band_points_(at(own.end - own.first), Index{0}),
      equal_rings_(at(own.end - own.first), EqualRingMethod::kPixels),
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
  return out->nphi == in->nphi ? equal_rings_[at(p - own_.first)] == EqualRingMethod::kPixels : !spec_.degree;
}

std::optional<ModeRow> RowPlan::mode_row(Index p, Index q, bool crossed) const {
  const auto found = shape(p, q, crossed);
  if (!found) return std::nullopt;
  ModeRow row{*found, {}};
  for (bool north : {true, false})
    row.used[north ? 0 : 1] = ring_of(out_, p, north) != nullptr && ring_of(in_, q, north != crossed) != nullptr &&
                              !in_pixels(p, q, crossed, north);
  return row.used[0] || row.used[1] ? std::optional(row) : std::nullopt;
}

std::optional<bool> RowPlan::lattice(Index p, Index q, bool crossed) const {
  std::optional<bool> half;
  for (bool north : {true, false}) {
    const grid::Ring* out = ring_of(out_, p, north);
    const grid::Ring* in = ring_of(in_, q, north != crossed);
    if (out == nullptr || in == nullptr) continue;
    const std::optional<bool> here = out->nphi == in->nphi ? lattice_of(*out, *in) : std::nullopt;
    if (!here || (half && *half != *here)) return std::nullopt;
    half = here;
  }
  return half;
}

RowSampling RowPlan::sampling(Index p, Index q, bool crossed) const {
  if (equal_rings_[at(p - own_.first)] == EqualRingMethod::kLattice) {
    if (const std::optional<bool> half = lattice(p, q, crossed)) {
      const bool north = ring_of(out_, p, true) != nullptr && ring_of(in_, q, !crossed) != nullptr;
      const Index n = ring_of(out_, p, north)->nphi;
      return {n, true, *half, in_steps(n / 2 + 1)};
    }
  }
  return {band_points_[at(p - own_.first)], false, false, band_modes(p, q)};
}

Index RowPlan::band_modes(Index p, Index q) const {
  const double g2 = out_.pairs()[at(p)].sin_theta * in_.pairs()[at(q)].sin_theta;
  Index most = row_modes(*spec_.degree, std::sqrt(g2));
  if (spec_.truncate)
    for (bool north : {true, false}) {
      if (const grid::Ring* ring = ring_of(out_, p, north)) most = std::min(most, (ring->nphi - 1) / 2);
      if (const grid::Ring* ring = ring_of(in_, q, north)) most = std::min(most, (ring->nphi - 1) / 2);
    }
  return in_steps(most + 1);
}

Index RowPlan::sample_count(const RowSampling& sampling, const RowShape& row) {
  const double off = sampling.half ? 0.5 : 0.0;
  const double reach = row.phi_end / (2 * kPi) * static_cast<double>(sampling.points) - off + kLatticeError;
  if (reach < 0) return 0;
  // Samples beyond half of the circle are mirror images of other samples.
  const Index most = sampling.half ? (sampling.points + 1) / 2 : sampling.points / 2 + 1;
  return std::min(most, static_cast<Index>(reach) + 1);
}

Index RowPlan::add_samples(const RowSampling& sampling, const RowShape& row, std::vector<double>& samples) const {
  const Index points = sampling.points, count = sample_count(sampling, row);
  const double step = 2 * kPi / static_cast<double>(points), off = sampling.half ? 0.5 : 0.0;
  for (Index s = 0; s < count; ++s) {
    const double chord = row.chord_at(step * (static_cast<double>(s) + off));
    // On the axis, and opposite to it, a sample is its own mirror image.
    const Index twice = 2 * s + (sampling.half ? 1 : 0);
    const double images = twice == 0 || twice == points ? 1 : 2;
    samples.push_back(chord <= reach_chord_ ? images / static_cast<double>(points) * spec_.value(chord) : 0);
  }
  return count;
}

bool by_fft(const RowSampling& sampling, Index samples) {
  return sampling.lattice &&
         static_cast<double>(samples) * static_cast<double>(sampling.points / 2) > ring_fft_count(sampling.points);
}

template <class Visit>
void RowPlan::for_rows(Index p, const Visit& visit) const {
  const PairRange range = reach(p);
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
}

double RowPlan::band_count(Index p, Index q, const RowShape& row) const {
  const auto modes = static_cast<double>(band_modes(p, q));
  return mode_count(row, modes, 2 * modes);
}

double RowPlan::lattice_count(const RowShape& row, const grid::Ring& ring) {
  const auto n = static_cast<double>(ring.nphi);
  return std::min(mode_count(row, n / 2, n), ring_fft_count(ring.nphi) + kMultiplyAdd * n / 2);
}

RowPlan::EqualRingMethod RowPlan::choose(Index p, double ffts) const {
  if (spec_.direct) return EqualRingMethod::kPixels;
  double pixels = 0, band = 0, on_lattice = 0;
  const grid::Ring* const rings[2] = {ring_of(out_, p, true), ring_of(out_, p, false)};
  bool all_on_lattice =
      !spec_.truncate && (rings[0] == nullptr || rings[1] == nullptr || rings[0]->nphi == rings[1]->nphi);
  bool unlike = false;
  for_rows(p, [&](Index q, bool crossed, bool, const RowShape& row, const grid::Ring& out, const grid::Ring& in) {
    if (out.nphi != in.nphi) {
      unlike = true;
      return;
    }
    pixels += pixel_count(row, out, in);
    if (spec_.degree) band += band_count(p, q, row);
    all_on_lattice = all_on_lattice && lattice(p, q, crossed).has_value();
    on_lattice += lattice_count(row, in);
  });
  const double transforms = unlike && spec_.degree ? 0 : ffts;
  EqualRingMethod best = EqualRingMethod::kPixels;
  double least = pixels;
  if (all_on_lattice && on_lattice + transforms < least) {
    best = EqualRingMethod::kLattice;
    least = on_lattice + transforms;
  }
  if (spec_.degree && band + transforms < least) best = EqualRingMethod::kBandLimit;
  return best;
}

void RowPlan::plan_pair(Index p) {
  double ffts = 0;
  for (bool north : {true, false})
    if (const grid::Ring* out = ring_of(out_, p, north)) ffts += 2 * ring_fft_count(out->nphi);
  const EqualRingMethod equal = choose(p, ffts);
  equal_rings_[at(p - own_.first)] = equal;
  Index most = 0, band = 0;
  for_rows(p, [&](Index q, bool crossed, bool north, const RowShape& row, const grid::Ring& out, const grid::Ring& in) {
    if (in_pixels(p, q, crossed, north)) {
      needs_pixels_[at(q)] = true;
      longest_sum_ = std::max(
          longest_sum_, std::min(in.nphi, static_cast<Index>(row.phi_end / kPi * static_cast<double>(in.nphi)) + 2));
      count_ += pixel_count(row, out, in);
      return;
    }
    const bool on_lattice = equal == EqualRingMethod::kLattice && lattice(p, q, crossed);
    const Index here = on_lattice ? in_steps(in.nphi / 2 + 1) : band_modes(p, q);
    if (!on_lattice) band = std::max(band, here);
    in_modes_[at(q)] = std::max(in_modes_[at(q)], here);
    most = std::max(most, here);
    count_ += on_lattice ? lattice_count(row, in) : band_count(p, q, row);
  });
  if (most == 0) return;
  count_ += ffts;
  out_modes_[at(p - own_.first)] = most;
  band_points_[at(p - own_.first)] = 2 * band + 1;
  Index samples = 0;
  const PairRange range = reach(p);
  for (Index q = range.first; q < range.end; ++q)
    for (bool crossed : {false, true})
      if (const auto row = mode_row(p, q, crossed)) {
        const RowSampling how = sampling(p, q, crossed);
        const Index count = sample_count(how, row->shape);
        samples += count;
        row_fft_ = row_fft_ || by_fft(how, count);
      }
  most_samples_ = std::max(most_samples_, samples);
}

}  // namespace armilla::radial
