#pragma once

#include <armilla/core/types.hpp>

#include <algorithm>
#include <complex>

namespace armilla::fft {

using core::Index;

/// Values of m that are gathered, turned by their phases and folded at a time.
inline constexpr Index kTileM = 64;

/// exp(i m phi0) of one tile, real and imaginary parts apart.
struct TilePhase {
  double re[kTileM];
  double im[kTileM];
};

/// Delta_m of one ring for the `count` values of m from `first` on, and the phases that belong to them. A null `delta`
/// stands for zeros.
template <class T>
struct RingTile {
  std::complex<T>* delta;
  const TilePhase* phase;
};

/// Calls body(m - first, k, l) for the m of a tile, k = m mod n and l = -m mod n, without a division per m.
template <class Body>
void walk_spectrum(Index first, Index count, Index n, const Body& body) {
  Index k = first % n;
  for (Index i = 0; i < count;) {
    if (k == 0) {
      body(i++, Index{0}, Index{0});
      if (++k == n) k = 0;
      continue;
    }
    const Index run = std::min(count - i, n - k);
    for (Index j = 0; j < run; ++j) body(i + j, k + j, n - k - j);
    i += run;
    k += run;
    if (k == n) k = 0;
  }
}

/// Adds a tile to the conjugate of the spectrum of north + i south, both real: with A = Delta_m exp(i m phi0) of the
/// north, B of the south, conj(A) - i conj(B) at m mod n and A - i B at -m mod n; m = 0 once.
template <class T>
void fold(const RingTile<T>& north, const RingTile<T>& south, Index first, Index count, Index n, std::complex<T>* z) {
  const auto turned = [](const RingTile<T>& tile, Index i) -> std::complex<T> {
    const std::complex<double> d(tile.delta[i]);
    const double c = tile.phase->re[i];
    const double s = tile.phase->im[i];
    return {static_cast<T>(d.real() * c - d.imag() * s), static_cast<T>(d.real() * s + d.imag() * c)};
  };
  const Index skip = first == 0 ? 1 : 0;
  if (skip > 0 && count > 0)
    z[0] += std::complex<T>(north.delta[0].real(), south.delta ? -south.delta[0].real() : T(0));
  const auto add = [&](Index k, Index l, std::complex<T> a, std::complex<T> b) {
    z[k] += std::complex<T>(a.real() - b.imag(), -a.imag() - b.real());
    z[l] += std::complex<T>(a.real() + b.imag(), a.imag() - b.real());
  };
  if (south.delta == nullptr) {
    walk_spectrum(first + skip, count - skip, n,
                  [&](Index i, Index k, Index l) { add(k, l, turned(north, i + skip), std::complex<T>(0)); });
  } else {
    walk_spectrum(first + skip, count - skip, n,
                  [&](Index i, Index k, Index l) { add(k, l, turned(north, i + skip), turned(south, i + skip)); });
  }
}

/// The transpose, but for factors: from the spectrum of north + i south, scale * F_m exp(-i m phi0) of each, where F is
/// the spectrum of one ring.
template <class T>
void unfold(const std::complex<T>* z, Index first, Index count, Index n, double north_scale, double south_scale,
            const RingTile<T>& north, const RingTile<T>& south) {
  const auto put = [](const RingTile<T>& tile, Index i, double scale, double re, double im) {
    const double c = tile.phase->re[i];
    const double s = tile.phase->im[i];
    tile.delta[i] = {static_cast<T>(scale * (re * c + im * s)), static_cast<T>(scale * (im * c - re * s))};
  };
  walk_spectrum(first, count, n, [&](Index i, Index k, Index l) {
    const std::complex<double> x(z[k]);
    const std::complex<double> y(z[l]);
    put(north, i, 0.5 * north_scale, x.real() + y.real(), x.imag() - y.imag());
  });
  if (south.delta == nullptr) return;
  walk_spectrum(first, count, n, [&](Index i, Index k, Index l) {
    const std::complex<double> x(z[k]);
    const std::complex<double> y(z[l]);
    put(south, i, 0.5 * south_scale, x.imag() + y.imag(), y.real() - x.real());
  });
}

}  // namespace armilla::fft
