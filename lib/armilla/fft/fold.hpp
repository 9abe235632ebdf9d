#pragma once

#include <armilla/fft/split_buffer.hpp>

#include <complex>

namespace armilla::fft {

/// Values of m that are gathered, turned by their phases and folded at a time.
inline constexpr Index kTileM = 64;

/// exp(i m phi0) for the m of one tile, as the product of low[m mod kTileM] and one number; low.re is null where all
/// phases are 1.
template <class T>
struct TilePhase {
  Split<const T> low = {};
  T high_re = 1;
  T high_im = 0;
};

/// The values of m from `first` on, `count` of them, `first` a multiple of kTileM, of a pair of rings with n pixels
/// each. Rows hold Delta_m of one ring each, `south` is null where there is none.
template <class T>
struct FoldTile {
  std::complex<T>* north = nullptr;
  std::complex<T>* south = nullptr;
  TilePhase<T> north_phase = {};
  TilePhase<T> south_phase = {};
  Index first;
  Index count;
  Index n;
};

/// Spectra of m < m_count have at most one value in each place.
inline bool folds_once(Index m_count, Index n) { return 2 * (m_count - 1) < n; }

/// Adds a tile to the spectrum of north + i south, both real: with A = Delta_m exp(i m phi0) of the north, B of the
/// south, A + i B at m mod n and conj(A) + i conj(B) at -m mod n; m = 0 once, without its imaginary part. The
/// spectrum has real and imaginary part exchanged, which makes the forward transform the inverse one. Where `once`
/// (folds_once), what stood in these places is overwritten.
void fold(const FoldTile<float>& tile, bool once, std::complex<float>* spectrum);
void fold(const FoldTile<double>& tile, bool once, std::complex<double>* spectrum);

/// The transpose, but for factors: from the spectrum of north + i south, scale * F_m exp(-i m phi0) of each, where F is
/// the spectrum of one ring.
void unfold(const FoldTile<float>& tile, const std::complex<float>* spectrum, float north_scale, float south_scale);
void unfold(const FoldTile<double>& tile, const std::complex<double>* spectrum, double north_scale, double south_scale);

}  // namespace armilla::fft
