#pragma once

#include <armilla/legendre/task.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

namespace armilla::test {

template <class T>
using Numbers = std::vector<std::complex<T>>;

using core::Index;

/// A task on any pairs of rings, with tables of its own: rings in two blocks of different shape, m with gaps between
/// them in memory. Not movable, for the task holds spans to them.
struct RingTask {
  /// Rings of a hemisphere, and which rings of a pair are there.
  struct Pairs {
    std::vector<double> cosine, sine;
    std::vector<bool> north, south;
  };

  /// `theta` ascending, of the northern rings; every `missing`-th pair lacks one ring, 0 for none.
  RingTask(Index spin, Index lmax, std::vector<Index> own_m, const std::vector<double>& theta, Index maps,
           std::size_t missing = 0)
      : RingTask(spin, lmax, std::move(own_m), pairs_of(theta, missing), maps) {}

  RingTask(Index spin, Index lmax, std::vector<Index> own_m, const Pairs& rings, Index maps)
      : m(std::move(own_m)), cosine(rings.cosine), sine(rings.sine) {
    const std::size_t middle = (cosine.size() + 1) / 2;
    Index slots[2] = {0, 0};
    for (std::size_t i = 0; i < cosine.size(); ++i) {
      const int b = i < middle ? 0 : 1;
      block.push_back(b);
      north.push_back(rings.north[i] ? slots[b]++ : -1);
      south.push_back(rings.south[i] ? slots[b]++ : -1);
    }
    task.lmax = lmax;
    task.spin = spin;
    task.components = spin == 0 ? 1 : 2;
    task.maps = maps;
    Index place = 0;
    Index coefficient = 3;
    for (const Index own : m) {
      for (const Index count : slots) {
        shift.push_back(place);
        place += count * task.width() + 5;
      }
      offset.push_back(coefficient - own);
      coefficient += lmax - own + 1;
      first.push_back(0);
    }
    delta_size = place;
    alm_size = coefficient * task.width();
    task.component_stride = coefficient;
    task.map_stride = task.components * coefficient;
    task.blocks = 2;
    task.m = m;
    task.alm_offset = offset;
    task.cos_theta = cosine;
    task.sin_theta = sine;
    task.first_pair = first;
    task.block_shift = shift;
    task.pair_block = block;
    task.north_slot = north;
    task.south_slot = south;
  }
  RingTask(const RingTask&) = delete;
  RingTask& operator=(const RingTask&) = delete;

  static Pairs pairs_of(const std::vector<double>& theta, std::size_t missing) {
    Pairs pairs;
    for (std::size_t i = 0; i < theta.size(); ++i) {
      pairs.cosine.push_back(std::cos(theta[i]));
      pairs.sine.push_back(std::sin(theta[i]));
      const bool one = missing > 0 && i % missing == missing - 1;
      const bool north_missing = one && (i / missing) % 2 == 0;
      pairs.north.push_back(!north_missing);
      pairs.south.push_back(!one || north_missing);
    }
    return pairs;
  }

  /// Coefficients that are there, the same for a map in any batch; real at m = 0, nothing below the spin.
  template <class T>
  std::vector<std::complex<T>> random_alm(std::complex<T> elsewhere) const {
    std::vector<std::complex<T>> alm(static_cast<std::size_t>(alm_size), elsewhere);
    for (Index map = 0; map < task.maps; ++map) {
      std::mt19937_64 random(static_cast<std::uint64_t>(11 + map));
      std::normal_distribution<double> normal;
      for (Index c = 0; c < task.components; ++c)
        for (std::size_t k = 0; k < m.size(); ++k)
          for (Index l = m[k]; l <= task.lmax; ++l) {
            const double re = normal(random);
            const double im = normal(random);
            task.coefficients(alm.data(), static_cast<Index>(k), c, map)[l] =
                l < task.spin ? std::complex<T>(0)
                              : std::complex<T>(static_cast<T>(re), static_cast<T>(m[k] == 0 ? 0.0 : im));
          }
    }
    return alm;
  }

  /// Calls visit(own m number, pair, w, place) for all numbers of Delta that are there, w = component * maps + map.
  template <class Visit>
  void for_each_delta(Visit&& visit) const {
    for (std::size_t k = 0; k < m.size(); ++k)
      for (Index p = first[k]; p < task.pairs(); ++p)
        for (const Index slot : {north[static_cast<std::size_t>(p)], south[static_cast<std::size_t>(p)]})
          for (Index w = 0; slot >= 0 && w < task.width(); ++w)
            visit(k, p, w, static_cast<std::size_t>(task.delta_position(static_cast<Index>(k), p, slot) + w));
  }
  /// Likewise the same for a map in any batch.
  template <class T>
  std::vector<std::complex<T>> random_delta(std::complex<T> elsewhere) const {
    std::vector<std::complex<T>> delta(static_cast<std::size_t>(delta_size), elsewhere);
    for (Index map = 0; map < task.maps; ++map) {
      std::mt19937_64 random(static_cast<std::uint64_t>(101 + map));
      std::normal_distribution<double> normal;
      for_each_delta([&](std::size_t, Index, Index w, std::size_t place) {
        if (w % task.maps != map) return;
        const double re = normal(random);
        delta[place] = {static_cast<T>(re), static_cast<T>(normal(random))};
      });
    }
    return delta;
  }

  legendre::Task task;
  Index alm_size = 0;
  Index delta_size = 0;
  std::vector<Index> m, offset, first, shift, north, south;
  std::vector<int> block;
  std::vector<double> cosine, sine;
};

/// Angles of rings very near to the pole, all over the hemisphere, and at the equator.
inline std::vector<double> many_angles(int between) {
  std::vector<double> theta{1e-7, 1e-6, 1e-5, 1.7e-4, 1e-3, 4e-3};
  for (int i = 0; i < between; ++i) theta.push_back(0.01 + 1.5 * (i + 0.37) / between);
  for (const double from_equator : {1e-2, 1e-4, 1e-7, 0.0}) theta.push_back(core::kPi / 2 - from_equator);
  std::sort(theta.begin(), theta.end());
  return theta;
}

}  // namespace armilla::test
