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

/// Delta of own m number k at pairs begin .. end - 1 from halves[w][4][padded]: real and imaginary part of the even and
/// of the odd half; north is their sum, south their difference, each half times factors(pair).
template <class T, class Factors>
void unpack_halves(const Task& task, Index k, Index begin, Index end, Index padded, const double* halves,
                   Factors&& factors, std::complex<T>* delta) {
  for (Index w = 0; w < task.width(); ++w, halves += 4 * padded)
    for (Index pair = begin; pair < end; ++pair) {
      const double* h = halves + (pair - begin);
      const HalfFactors f = factors(pair);
      const std::complex<double> even(f.even * h[0], f.even * h[padded]);
      const std::complex<double> odd(f.odd * h[2 * padded], f.odd * h[3 * padded]);
      store_rings<T>(task, delta, k, pair, w, {std::complex<T>(even + odd), std::complex<T>(even - odd)});
    }
}

/// The transpose: halves of pairs begin .. end - 1, and zeros up to `padded`.
template <class T, class Factors>
void pack_halves(const Task& task, Index k, Index begin, Index end, Index padded, const std::complex<T>* delta,
                 Factors&& factors, double* halves) {
  for (Index w = 0; w < task.width(); ++w, halves += 4 * padded) {
    std::fill_n(halves, 4 * padded, 0.0);
    for (Index pair = begin; pair < end; ++pair) {
      double* h = halves + (pair - begin);
      const HalfFactors f = factors(pair);
      const auto [north, south] = load_rings<T>(task, delta, k, pair, w);
      const std::complex<double> even = f.even * (std::complex<double>(north) + std::complex<double>(south));
      const std::complex<double> odd = f.odd * (std::complex<double>(north) - std::complex<double>(south));
      h[0] = even.real();
      h[padded] = even.imag();
      h[2 * padded] = odd.real();
      h[3 * padded] = odd.imag();
    }
  }
}

}  // namespace armilla::legendre
