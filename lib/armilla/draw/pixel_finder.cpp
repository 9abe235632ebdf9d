#include <armilla/draw/pixel_finder.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace armilla::draw {
namespace {

using core::kPi;
using grid::Index;

using core::at;

struct Candidate {
  Index j;
  double cos_distance;
};

Candidate nearest_of_ring(const grid::Ring& ring, double z, double sin_theta, double phi) {
  const double step = 2 * kPi / static_cast<double>(ring.nphi);
  const double nearest = std::round((phi - ring.phi0) / step);
  const double offset = phi - ring.phi0 - nearest * step;
  Index j = static_cast<Index>(nearest) % ring.nphi;
  if (j < 0) j += ring.nphi;
  return {j, z * ring.cos_theta + sin_theta * ring.sin_theta * std::cos(offset)};
}

// Rings from a file may cover only part of the sky. A ring therefore extends in theta no farther than its distance to
// the nearer neighbour, or, for a single ring, one pixel spacing.
std::vector<double> reach_of(std::span<const grid::Ring> rings) {
  std::vector<double> reach;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    if (i > 0) nearest = rings[i].theta - rings[i - 1].theta;
    if (i + 1 < rings.size()) nearest = std::min(nearest, rings[i + 1].theta - rings[i].theta);
    if (rings.size() == 1) nearest = 2 * kPi * rings[i].sin_theta / static_cast<double>(rings[i].nphi);
    reach.push_back(nearest);
  }
  return reach;
}

}  // namespace

PixelFinder::PixelFinder(const grid::RingGrid& grid)
    : nside_(grid.description().kind == "healpix" ? grid.description().nside : 0), own_(grid.rings()), rings_(own_) {
  const grid::GridDescription& description = grid.description();
  if (!description.is_whole() && description.kind != "rings") {
    numbers_ = grid::ring_numbers(grid);
    if (nside_ > 0) return;
    grid::GridDescription whole = description;
    whole.part.clear();
    whole_ = std::make_shared<const grid::RingGrid>(grid::make_grid(whole));
    rings_ = whole_->rings();
  }
  if (nside_ > 0) return;
  if (description.kind == "rings") reach_ = reach_of(rings_);
  descending_z_.reserve(rings_.size());
  for (const grid::Ring& ring : rings_) descending_z_.push_back(ring.cos_theta);
}

Index PixelFinder::operator()(const Direction& direction) const {
  return nside_ > 0 ? healpix_pixel(direction) : nearest_pixel(direction);
}

Index PixelFinder::pixel(Index ring, Index j) const {
  if (!numbers_.empty()) {
    const auto place = std::ranges::lower_bound(numbers_, ring);
    if (place == numbers_.end() || *place != ring) return -1;
    ring = place - numbers_.begin();
  }
  return own_[at(ring)].first_pixel + j % own_[at(ring)].nphi;
}

// Pixels are bounded by two families of lines, which in the equatorial zone are straight in (phi, z). `rising` and
// `falling` are the indices of the strips between the lines. Two strips, one of each family, intersect in one pixel;
// the difference of their indices gives its ring.
Index PixelFinder::healpix_pixel(const Direction& direction) const {
  const double z = direction.z, nside = static_cast<double>(nside_);
  double quarters = std::atan2(direction.y, direction.x) / (kPi / 2);
  if (quarters < 0) quarters += 4;
  const auto strip = [](double place) { return static_cast<Index>(std::floor(place)); };
  if (std::abs(z) <= 2.0 / 3) {
    const Index rising = strip(nside * (quarters + 0.5 - 0.75 * z));
    const Index falling = strip(nside * (quarters + 0.5 + 0.75 * z));
    const Index ring = std::clamp<Index>(2 * nside_ - 1 + rising - falling, nside_ - 1, 3 * nside_ - 1);
    // 0 if the first pixel is half a pixel from longitude 0, 1 if it is at longitude 0.
    const Index half = (ring + 1 - nside_) % 2 == 0 ? 0 : 1;
    return pixel(ring, strip(0.5 * static_cast<double>(rising + falling - nside_ + 1 + half)));
  }
  // Computes 1 - |z| without cancellation at the pole.
  const double sine_squared = direction.x * direction.x + direction.y * direction.y;
  const double from_pole = nside * std::sqrt(3 * sine_squared / (1 + std::abs(z)));
  const double within = quarters - std::floor(quarters);
  const Index count = std::min(strip(within * from_pole) + strip((1 - within) * from_pole) + 1, nside_);
  return pixel(z > 0 ? count - 1 : 4 * nside_ - 1 - count, strip(quarters * static_cast<double>(count)));
}

Index PixelFinder::nearest_pixel(const Direction& direction) const {
  const auto below = std::lower_bound(descending_z_.begin(), descending_z_.end(), direction.z, std::greater<>());
  const Index south = below - descending_z_.begin();
  const double sin_theta = std::hypot(direction.x, direction.y);
  const double phi = std::atan2(direction.y, direction.x);
  Index ring = -1;
  Candidate best{0, -2};
  for (const Index number : {south - 1, south}) {
    if (number < 0 || number >= static_cast<Index>(rings_.size())) continue;
    const Candidate here = nearest_of_ring(rings_[at(number)], direction.z, sin_theta, phi);
    if (ring >= 0 && here.cos_distance <= best.cos_distance) continue;
    ring = number;
    best = here;
  }
  if (!reach_.empty() && std::abs(std::atan2(sin_theta, direction.z) - rings_[at(ring)].theta) > reach_[at(ring)])
    return -1;
  return pixel(ring, best.j);
}

}  // namespace armilla::draw
