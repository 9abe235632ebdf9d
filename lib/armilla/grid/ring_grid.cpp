#include <armilla/core/error.hpp>
#include <armilla/grid/ring_grid.hpp>
#include <armilla/math/polar_cut.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace armilla::grid {

namespace {

// Rings count as mirror images if their colatitudes add up to pi within two roundings of pi. With a larger tolerance,
// sharing one evaluation would lose accuracy at lmax of 10^4.
constexpr double kMirrorTolerance = 9e-16;

void check_rings(const GridDescription& description, std::span<const Ring> rings) {
  if (rings.empty()) throw core::InputError(fmt::format("grid {} has no rings", description.text()));
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const Ring& ring = rings[i];
    if (!(ring.theta >= 0 && ring.theta <= core::kPi))
      throw core::InputError(fmt::format("grid {}: theta[{}] = {} is outside [0, pi]: use colatitudes in radians",
                                         description.text(), i, ring.theta));
    if (i > 0 && !(ring.theta > rings[i - 1].theta))
      throw core::InputError(
          fmt::format("grid {}: theta[{}] = {} does not exceed theta[{}] = {}: sort the rings by theta",
                      description.text(), i, ring.theta, i - 1, rings[i - 1].theta));
    if (ring.nphi < 1)
      throw core::InputError(
          fmt::format("grid {}: nphi[{}] = {}: every ring needs at least one pixel", description.text(), i, ring.nphi));
    if (!std::isfinite(ring.phi0) || !std::isfinite(ring.weight))
      throw core::InputError(
          fmt::format("grid {}: phi0 or weight of ring {} is not a finite number", description.text(), i));
  }
}

// Proceeds inwards from both poles at once, so that pairs are in ascending sin(theta).
std::vector<RingPair> make_pairs(std::span<const Ring> rings) {
  std::vector<RingPair> pairs;
  Index north = 0;
  Index south = static_cast<Index>(rings.size()) - 1;
  const auto single = [&](Index ring, bool is_north) {
    const Ring& r = rings[static_cast<std::size_t>(ring)];
    pairs.push_back({is_north ? ring : -1, is_north ? -1 : ring, std::abs(r.cos_theta), r.sin_theta});
  };
  while (north <= south) {
    const Ring& n = rings[static_cast<std::size_t>(north)];
    const Ring& s = rings[static_cast<std::size_t>(south)];
    const bool n_is_north = n.theta <= core::kPi / 2;
    const bool s_is_south = s.theta > core::kPi / 2;
    if (!n_is_north) {
      single(south--, false);
    } else if (!s_is_south) {
      single(north++, true);
    } else if (std::abs(n.theta + s.theta - core::kPi) <= kMirrorTolerance) {
      pairs.push_back({north++, south--, n.cos_theta, n.sin_theta});
    } else if (n.theta < core::kPi - s.theta) {
      single(north++, true);
    } else {
      single(south--, false);
    }
  }
  return pairs;
}

// Joins consecutive single rings of equal length in the order of the pairs, two at a time.
std::vector<bool> join_singles(const std::vector<RingPair>& pairs, const std::vector<Ring>& rings) {
  // Length of the ring if the pair has only one, otherwise 0.
  const auto single = [&](std::size_t p) {
    if (pairs[p].north >= 0 && pairs[p].south >= 0) return Index{0};
    return rings[static_cast<std::size_t>(std::max(pairs[p].north, pairs[p].south))].nphi;
  };
  std::vector<bool> joined(pairs.size(), false);
  for (std::size_t p = 0; p + 1 < pairs.size(); ++p)
    joined[p] = single(p) > 0 && single(p) == single(p + 1) && (p == 0 || !joined[p - 1]);
  return joined;
}

}  // namespace

/// The cuts of the pairs of a grid that have been computed so far.
class PolarCuts {
 public:
  using Cuts = std::shared_ptr<const std::vector<Index>>;

  Cuts of(std::span<const RingPair> pairs, Index lmax, Index spin, Index order_margin) {
    const std::scoped_lock lock(mutex_);
    Cuts& cuts = known_[{lmax, spin, order_margin}];
    if (cuts) return cuts;
    std::vector<Index> made;
    made.reserve(pairs.size());
    for (const RingPair& pair : pairs)
      made.push_back(math::polar_cut(lmax, spin, pair.cos_theta, pair.sin_theta, order_margin));
    cuts = std::make_shared<const std::vector<Index>>(std::move(made));
    return cuts;
  }

 private:
  std::mutex mutex_;
  std::map<std::tuple<Index, Index, Index>, Cuts> known_;
};

std::string GridDescription::text() const {
  std::string text = rule.empty() ? kind : fmt::format("{} {}", kind, rule);
  if (kind == "rings" && !file.empty()) text += fmt::format(" of '{}'", file);
  if (nside > 0) text += fmt::format(" nside {}", nside);
  if (nlat > 0) text += fmt::format(" {}", nlat);
  if (nphi > 0) text += fmt::format(" x {}", nphi);
  if (spin > 0) text += fmt::format(" spin {}", spin);
  if (phi0 != 0) text += fmt::format(" from phi {}", phi0);
  constexpr std::size_t kSaid = 3;  // number of ranges that are listed
  for (std::size_t i = 0; i < std::min(part.size(), kSaid); ++i) {
    text += i == 0 ? ", rings " : ", ";
    text += part[i].first == part[i].last ? fmt::format("{}", part[i].first)
                                          : fmt::format("{}-{}", part[i].first, part[i].last);
  }
  if (part.size() > kSaid) text += ", ..";
  return text;
}

RingGrid::RingGrid(GridDescription description, std::vector<Ring> rings, bool has_weights, AnalysisLimits limits)
    : description_(std::move(description)),
      rings_(std::move(rings)),
      has_weights_(has_weights),
      limits_(std::move(limits)),
      cuts_(std::make_shared<PolarCuts>()) {
  check_rings(description_, rings_);
  for (Ring& ring : rings_) {
    ring.first_pixel = npix_;
    if (__builtin_add_overflow(npix_, ring.nphi, &npix_))
      throw core::InputError(fmt::format("grid {} has 2^63 pixels or more: use fewer", description_.text()));
  }
  pairs_ = make_pairs(rings_);
  joined_ = join_singles(pairs_, rings_);
}

std::shared_ptr<const std::vector<Index>> RingGrid::polar_cuts(Index lmax, Index spin) const {
  return cuts_->of(pairs_, lmax, spin, order_margin_);
}

bool RingGrid::same_pixels(const RingGrid& other) const {
  if (this == &other) return true;
  return std::ranges::equal(rings_, other.rings_, [](const Ring& a, const Ring& b) {
    // Longitudes starting from -pi and from pi are equivalent.
    return a.theta == b.theta && std::remainder(a.phi0 - b.phi0, 2 * core::kPi) == 0 && a.nphi == b.nphi;
  });
}

}  // namespace armilla::grid
