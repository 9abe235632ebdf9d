#pragma once

#include <armilla/fft/ring_transform.hpp>
#include <armilla/grid/ring_grid.hpp>
#include <armilla/math/polar_cut.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "support/fields.hpp"

namespace armilla::test {

/// Rings with Delta and a map around them, for comparisons of two ring stages. Blocks of Delta stand apart and out of
/// order, and so do components and maps, so that whoever writes beside his own numbers is found out.
struct RingCase {
  /// The rings of a grid, all on one rank, with the m that they feel at lmax.
  RingCase(const grid::RingGrid& grid, Index lmax, Index components = 1, Index maps = 1) {
    name = grid.description().text();
    Index slots = 0;
    std::vector<std::pair<Index, Index>> slots_of;
    for (const grid::RingPair& pair : grid.pairs()) {
      const Index m_count = std::min(lmax, math::polar_cut(lmax, 0, pair.cos_theta, pair.sin_theta)) + 1;
      const Index north = pair.north >= 0 ? slots++ : -1;
      const Index south = pair.south >= 0 ? slots++ : -1;
      slots_of.emplace_back(north, south);
      for (const Index ring : {pair.north, pair.south}) {
        if (ring < 0) continue;
        const grid::Ring& r = grid.rings()[static_cast<std::size_t>(ring)];
        rings.push_back({r.nphi, r.phi0, r.first_pixel, m_count});
      }
    }
    for (std::size_t p = 0; p < slots_of.size(); ++p) {
      auto [first, second] = slots_of[p];
      if (grid.is_joined_to_next(static_cast<Index>(p))) {
        first = std::max(first, second);
        second = std::max(slots_of[p + 1].first, slots_of[p + 1].second);
      }
      if (first < 0 || second < 0) continue;
      rings[static_cast<std::size_t>(first)].partner = second;
      rings[static_cast<std::size_t>(second)].partner = first;
    }
    finish(grid.npix(), components, maps);
  }

  /// Rings as they are given; `pixel` is made here.
  RingCase(std::string text, std::vector<fft::RingShape> shapes, Index components = 1, Index maps = 1)
      : name(std::move(text)), rings(std::move(shapes)) {
    Index pixels = 3;
    for (fft::RingShape& ring : rings) {
      ring.pixel = pixels;
      pixels += ring.nphi;
    }
    finish(pixels, components, maps);
  }
  RingCase(const RingCase&) = delete;

  Index width() const { return task.width(); }
  std::size_t delta_at(Index m, Index slot, Index w) const {
    return static_cast<std::size_t>(shift[static_cast<std::size_t>(m)] + slot * width() + w);
  }
  std::size_t pixel_at(Index slot, Index w, Index j) const {
    return static_cast<std::size_t>((w % task.maps) * task.map_stride + (w / task.maps) * task.component_stride +
                                    rings[static_cast<std::size_t>(slot)].pixel + j);
  }

  /// Calls f(slot, w, m, place in Delta) for all numbers that there are.
  template <class F>
  void for_each_delta(const F& f) const {
    for (Index slot = 0; slot < static_cast<Index>(rings.size()); ++slot)
      for (Index w = 0; w < width(); ++w)
        for (Index m = 0; m < rings[static_cast<std::size_t>(slot)].m_count; ++m) f(slot, w, m, delta_at(m, slot, w));
  }
  template <class F>
  void for_each_pixel(const F& f) const {
    for (Index slot = 0; slot < static_cast<Index>(rings.size()); ++slot)
      for (Index w = 0; w < width(); ++w)
        for (Index j = 0; j < rings[static_cast<std::size_t>(slot)].nphi; ++j) f(slot, w, j, pixel_at(slot, w, j));
  }

  /// Noise where there are numbers, NaN between.
  template <class T>
  std::vector<std::complex<T>> random_delta(std::uint64_t seed = 1) const {
    auto delta = poisoned_delta<T>();
    for_each_delta([&](Index, Index, Index, std::size_t i) {
      delta[i] = {static_cast<T>(noise(seed, i)), static_cast<T>(noise(seed + 1, i))};
    });
    return delta;
  }
  template <class T>
  std::vector<T> random_map(std::uint64_t seed = 3) const {
    auto map = poisoned_map<T>();
    for_each_pixel([&](Index, Index, Index, std::size_t i) { map[i] = static_cast<T>(noise(seed, i)); });
    return map;
  }
  template <class T>
  std::vector<std::complex<T>> poisoned_delta() const {
    return std::vector<std::complex<T>>(static_cast<std::size_t>(delta_size), std::numeric_limits<T>::quiet_NaN());
  }
  template <class T>
  std::vector<T> poisoned_map() const {
    return std::vector<T>(static_cast<std::size_t>(map_size), std::numeric_limits<T>::quiet_NaN());
  }
  /// A factor for each ring, not the same for both of a pair.
  std::vector<double> factors() const {
    std::vector<double> factor;
    for (std::size_t slot = 0; slot < rings.size(); ++slot)
      factor.push_back(0.5 + static_cast<double>(slot + 1) / static_cast<double>(rings.size()));
    return factor;
  }

  std::string name;
  std::vector<fft::RingShape> rings;
  std::vector<Index> shift;
  Index delta_size = 0;
  Index map_size = 0;
  fft::RingTask task;

 private:
  void finish(Index pixels, Index components, Index maps) {
    const Index width_ = components * maps;
    const Index slots = static_cast<Index>(rings.size());
    Index m_count = 0;
    for (const fft::RingShape& ring : rings) m_count = std::max(m_count, ring.m_count);
    shift.resize(static_cast<std::size_t>(m_count));
    delta_size = 5;
    for (const Index parity : {1, 0})  // as from two ranks
      for (Index m = parity; m < m_count; m += 2) {
        Index first = 0;  // slots before feel no such m
        while (first < slots && rings[static_cast<std::size_t>(first)].m_count <= m) ++first;
        shift[static_cast<std::size_t>(m)] = delta_size - first * width_;
        delta_size += (slots - first) * width_ + 1;
      }
    const Index component_stride = pixels + 1;
    map_size = maps * components * component_stride + 7;
    task = {.rings = rings,
            .m_shift = shift,
            .components = components,
            .maps = maps,
            .component_stride = component_stride,
            .map_stride = components * component_stride + 1};
    map_size += maps;
  }
};

/// The largest rms difference of any ring and w, relative to the rms of the ring, or of all rings where that is larger:
/// few pixels may happen to be small. `for_each` is RingCase::for_each_pixel or for_each_delta.
template <class Numbers, class ForEach>
double worst_ring(const RingCase& c, const ForEach& for_each, const Numbers& a, const Numbers& b) {
  const std::size_t width = static_cast<std::size_t>(c.width());
  std::vector<double> error(c.rings.size() * width), norm(error.size()), count(error.size());
  double all = 0;
  double numbers = 0;
  for_each([&](Index slot, Index w, Index, std::size_t i) {
    const std::size_t ring = static_cast<std::size_t>(slot) * width + static_cast<std::size_t>(w);
    const std::complex<double> difference = std::complex<double>(a[i]) - std::complex<double>(b[i]);
    error[ring] += std::norm(difference);
    norm[ring] += std::norm(std::complex<double>(b[i]));
    ++count[ring];
    all += std::norm(std::complex<double>(b[i]));
    ++numbers;
  });
  double worst = 0;
  for (std::size_t r = 0; r < error.size(); ++r) {
    if (count[r] == 0) continue;
    const double relative = std::sqrt(error[r] / std::max(norm[r], count[r] * all / numbers));
    if (!(relative <= worst)) worst = relative;
  }
  return worst;
}

template <class T>
double worst_ring(const RingCase& c, const std::vector<T>& a, const std::vector<T>& b) {
  return worst_ring(
      c, [&](const auto& f) { c.for_each_pixel(f); }, a, b);
}

template <class T>
double worst_ring(const RingCase& c, const std::vector<std::complex<T>>& a, const std::vector<std::complex<T>>& b) {
  return worst_ring(
      c, [&](const auto& f) { c.for_each_delta(f); }, a, b);
}

/// How many numbers are not NaN.
template <class Numbers>
std::size_t written(const Numbers& numbers) {
  return static_cast<std::size_t>(std::ranges::count_if(numbers, [](const auto& z) { return z == z; }));
}

/// The grids of the comparisons: rings of one length, odd ones, HEALPix with all lengths 4 i, and others, with one and
/// two components, one and several maps.
std::vector<std::unique_ptr<RingCase>> ring_cases();

}  // namespace armilla::test
