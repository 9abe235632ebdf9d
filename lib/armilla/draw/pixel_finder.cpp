#include <armilla/draw/pixel_finder.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace armilla::draw {
namespace {

using core::kPi;
using grid::Index;

struct Candidate {
  Index pixel;
  double cos_distance;
};

Candidate nearest_of_ring(const grid::Ring& ring, double z, double sin_theta, double phi) {
  const double step = 2 * kPi / static_cast<double>(ring.nphi);
  const double nearest = std::round((phi - ring.phi0) / step);
  const double offset = phi - ring.phi0 - nearest * step;
  Index j = static_cast<Index>(nearest) % ring.nphi;
  if (j < 0) j += ring.nphi;
  return {ring.first_pixel + j, z * ring.cos_theta + sin_theta * ring.sin_theta * std::cos(offset)};
}

}  // namespace

PixelFinder::PixelFinder(const grid::RingGrid& grid)
    : nside_(grid.description().kind == "healpix" ? grid.description().nside : 0), rings_(grid.rings()) {
  descending_z_.reserve(rings_.size());
  for (const grid::Ring& ring : rings_) descending_z_.push_back(ring.cos_theta);
}

Index PixelFinder::operator()(const Direction& direction) const {
  return nside_ > 0 ? healpix_pixel(direction) : nearest_pixel(direction);
}

// Pixels are bounded by two families of lines, which in the equatorial zone are straight in (phi, z); `rising` and
// `falling` number the strips between them. A strip of each family meet in one pixel; their difference tells its ring.
Index PixelFinder::healpix_pixel(const Direction& direction) const {
  const double z = direction.z, nside = static_cast<double>(nside_);
  double quarters = std::atan2(direction.y, direction.x) / (kPi / 2);
  if (quarters < 0) quarters += 4;
  const auto strip = [](double place) { return static_cast<Index>(std::floor(place)); };
  Index ring = 0, j = 0;
  if (std::abs(z) <= 2.0 / 3) {
    const Index rising = strip(nside * (quarters + 0.5 - 0.75 * z));
    const Index falling = strip(nside * (quarters + 0.5 + 0.75 * z));
    ring = std::clamp<Index>(2 * nside_ - 1 + rising - falling, nside_ - 1, 3 * nside_ - 1);
    const Index half = rings_[static_cast<std::size_t>(ring)].phi0 > 0 ? 0 : 1;
    j = strip(0.5 * static_cast<double>(rising + falling - nside_ + 1 + half));
  } else {
    // 1 - |z| without cancellation at the pole.
    const double sine_squared = direction.x * direction.x + direction.y * direction.y;
    const double from_pole = nside * std::sqrt(3 * sine_squared / (1 + std::abs(z)));
    const double within = quarters - std::floor(quarters);
    const Index count = std::min(strip(within * from_pole) + strip((1 - within) * from_pole) + 1, nside_);
    ring = z > 0 ? count - 1 : 4 * nside_ - 1 - count;
    j = strip(quarters * static_cast<double>(count));
  }
  const grid::Ring& here = rings_[static_cast<std::size_t>(ring)];
  return here.first_pixel + j % here.nphi;
}

Index PixelFinder::nearest_pixel(const Direction& direction) const {
  const auto below = std::lower_bound(descending_z_.begin(), descending_z_.end(), direction.z, std::greater<>());
  const auto south = static_cast<std::size_t>(below - descending_z_.begin());
  const double sin_theta = std::hypot(direction.x, direction.y);
  const double phi = std::atan2(direction.y, direction.x);
  if (south == 0) return nearest_of_ring(rings_.front(), direction.z, sin_theta, phi).pixel;
  if (south == rings_.size()) return nearest_of_ring(rings_.back(), direction.z, sin_theta, phi).pixel;
  const Candidate a = nearest_of_ring(rings_[south - 1], direction.z, sin_theta, phi);
  const Candidate b = nearest_of_ring(rings_[south], direction.z, sin_theta, phi);
  return a.cos_distance >= b.cos_distance ? a.pixel : b.pixel;
}

}  // namespace armilla::draw
