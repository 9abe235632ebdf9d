#pragma once

#include <armilla/fft/split_buffer.hpp>

#include <complex>

namespace armilla::fft {

/// Number of m that are gathered, multiplied by their phases and folded at a time.
inline constexpr Index kTileM = 64;

/// exp(i m phi0) for the m of one tile, as the product of low[m mod kTileM] and a constant; low.re is null if all
/// phases are 1.
template <class T>
struct TilePhase {
  Split<const T> low = {};
  T high_re = 1;
  T high_im = 0;
};

/// `count` values of m, starting at `first`, a multiple of kTileM, for a pair of rings with n pixels each. Each row
/// holds Delta_m of one ring; `south` is null if there is none.
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

/// Whether the spectra of m < m_count have at most one value at each index.
inline bool folds_once(Index m_count, Index n) { return 2 * (m_count - 1) < n; }

/// Adds a tile to the spectrum of north + i south, both real. With A = Delta_m exp(i m phi0) of the north and B of the
/// south, it adds A + i B at m mod n and conj(A) + i conj(B) at -m mod n; m = 0 once, without its imaginary part. The
/// spectrum has real and imaginary part exchanged, so that the forward transform acts as the inverse. With `once`
/// (folds_once), values are overwritten.
void fold(const FoldTile<float>& tile, bool once, std::complex<float>* spectrum);
void fold(const FoldTile<double>& tile, bool once, std::complex<double>* spectrum);

/// The transpose, up to factors: from the spectrum of north + i south, computes scale * F_m exp(-i m phi0) for each
/// ring, where F is the spectrum of that ring.
void unfold(const FoldTile<float>& tile, const std::complex<float>* spectrum, float north_scale, float south_scale);
void unfold(const FoldTile<double>& tile, const std::complex<double>* spectrum, double north_scale, double south_scale);

}  // namespace armilla::fft
