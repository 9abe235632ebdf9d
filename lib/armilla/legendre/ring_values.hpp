#pragma once

#include <armilla/legendre/task.hpp>

#include <algorithm>
#include <complex>

namespace armilla::legendre {

/// Delta at the two rings of a pair, for one component and map; a ring that is not there has 0.
template <class T>
struct RingValues {
  std::complex<T> north;
  std::complex<T> south;
};

/// Reads Delta of own m number k at a pair; `w` = component * maps + map.
template <class T>
RingValues<T> load_rings(const Task& task, const std::complex<T>* delta, Index k, Index pair, Index w) {
  const Index north = task.north_slot[static_cast<std::size_t>(pair)];
  const Index south = task.south_slot[static_cast<std::size_t>(pair)];
  return {north >= 0 ? delta[task.delta_position(k, pair, north) + w] : std::complex<T>(0),
          south >= 0 ? delta[task.delta_position(k, pair, south) + w] : std::complex<T>(0)};
}

/// Writes Delta to those rings of a pair that are there.
template <class T>
void store_rings(const Task& task, std::complex<T>* delta, Index k, Index pair, Index w, const RingValues<T>& values) {
  const Index north = task.north_slot[static_cast<std::size_t>(pair)];
  const Index south = task.south_slot[static_cast<std::size_t>(pair)];
  if (north >= 0) delta[task.delta_position(k, pair, north) + w] = values.north;
  if (south >= 0) delta[task.delta_position(k, pair, south) + w] = values.south;
}

/// What the even and the odd half of a pair's Delta are multiplied by.
struct HalfFactors {
  double even;
  double odd;
};

/// Where Delta of a few pairs stands, -1 for rings that are not there, and the factors of their halves.
struct PairPositions {
  static constexpr Index kMost = 8;
  Index north[kMost];
  Index south[kMost];
  HalfFactors factors[kMost];

  template <class Factors>
  PairPositions(const Task& task, Index k, Index first, Index count, Factors&& factors_of) {
    for (Index i = 0; i < count; ++i) {
      const Index pair = first + i;
      const Index north_slot = task.north_slot[static_cast<std::size_t>(pair)];
      const Index south_slot = task.south_slot[static_cast<std::size_t>(pair)];
      north[i] = north_slot >= 0 ? task.delta_position(k, pair, north_slot) : -1;
      south[i] = south_slot >= 0 ? task.delta_position(k, pair, south_slot) : -1;
      factors[i] = factors_of(pair);
    }
  }
};

/// Delta of own m number k at pairs begin .. end - 1 from halves[w][4][padded]: real and imaginary part of the even and
/// of the odd half; north is their sum, south their difference, each half times factors(pair).
template <class T, class Factors>
void unpack_halves(const Task& task, Index k, Index begin, Index end, Index padded, const double* halves,
                   Factors&& factors, std::complex<T>* delta) {
  for (Index first = begin; first < end; first += PairPositions::kMost) {
    const Index count = std::min(PairPositions::kMost, end - first);
    const PairPositions place(task, k, first, count, factors);
    for (Index w = 0; w < task.width(); ++w) {
      const double* h = halves + 4 * w * padded + (first - begin);
      for (Index i = 0; i < count; ++i, ++h) {
        const HalfFactors f = place.factors[i];
        const double even_re = f.even * h[0];
        const double even_im = f.even * h[padded];
        const double odd_re = f.odd * h[2 * padded];
        const double odd_im = f.odd * h[3 * padded];
        if (place.north[i] >= 0)
          delta[place.north[i] + w] = {static_cast<T>(even_re + odd_re), static_cast<T>(even_im + odd_im)};
        if (place.south[i] >= 0)
          delta[place.south[i] + w] = {static_cast<T>(even_re - odd_re), static_cast<T>(even_im - odd_im)};
      }
    }
  }
}

/// The transpose: halves of pairs begin .. end - 1, and zeros up to `padded`.
template <class T, class Factors>
void pack_halves(const Task& task, Index k, Index begin, Index end, Index padded, const std::complex<T>* delta,
                 Factors&& factors, double* halves) {
  for (Index first = begin; first < end; first += PairPositions::kMost) {
    const Index count = std::min(PairPositions::kMost, end - first);
    const PairPositions place(task, k, first, count, factors);
    for (Index w = 0; w < task.width(); ++w) {
      double* h = halves + 4 * w * padded + (first - begin);
      for (Index i = 0; i < count; ++i, ++h) {
        const std::complex<T> zero{};
        const std::complex<T>& north = place.north[i] >= 0 ? delta[place.north[i] + w] : zero;
        const std::complex<T>& south = place.south[i] >= 0 ? delta[place.south[i] + w] : zero;
        const HalfFactors f = place.factors[i];
        h[0] = f.even * (static_cast<double>(north.real()) + static_cast<double>(south.real()));
        h[padded] = f.even * (static_cast<double>(north.imag()) + static_cast<double>(south.imag()));
        h[2 * padded] = f.odd * (static_cast<double>(north.real()) - static_cast<double>(south.real()));
        h[3 * padded] = f.odd * (static_cast<double>(north.imag()) - static_cast<double>(south.imag()));
      }
    }
  }
  for (Index row = 0; row < 4 * task.width(); ++row)
    std::fill(halves + row * padded + (end - begin), halves + (row + 1) * padded, 0.0);
}

}  // namespace armilla::legendre
