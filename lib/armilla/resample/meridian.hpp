#pragma once

#include <armilla/core/types.hpp>

#include <complex>

namespace armilla::resample {

using core::Index;

/// Values at the northern and southern rings of many pairs, from pole to equator, in an interleaved array: north of
/// pair p at data[2 p stride], south at data[(2 p + 1) stride].
struct RingColumn {
  std::complex<double>* data;
  Index stride = 1;
};
struct ConstRingColumn {
  const std::complex<double>* data;
  Index stride = 1;
};

/// Layout with separate northern and southern rings: those of pair p are at north[p step] and south[p step].
struct Halves {
  Halves(std::complex<double>* north_, std::complex<double>* south_) : north(north_), south(south_), step(1) {}
  Halves(RingColumn rings) : north(rings.data), south(rings.data + rings.stride), step(2 * rings.stride) {}

  std::complex<double>* north;
  std::complex<double>* south;
  Index step;
};
struct ConstHalves {
  ConstHalves(Halves halves) : north(halves.north), south(halves.south), step(halves.step) {}
  ConstHalves(ConstRingColumn rings) : north(rings.data), south(rings.data + rings.stride), step(2 * rings.stride) {}

  const std::complex<double>* north;
  const std::complex<double>* south;
  Index step;
};

// The passes over memory before, between and after the FFTs, vectorised for the instruction set. Rings are equidistant,
// theta_j = pi (j + 1/2) / length, j = 0 .. length - 1; pair p consists of rings p and length - 1 - p. `sign` is +1 for
// columns that are even across the pole and -1 for odd ones. The sine transform of an odd column is the cosine
// transform of (-1)^j x_j with the coefficients in reverse order. Arrays of complex values are aligned to 64 bytes.

/// Permutes rings so that one complex FFT gives their cosine transform (Makhoul 1980): even j ascending, then odd j
/// descending. For an odd column, odd j are negated. `pairs` is even.
void rings_to_sequence(ConstHalves rings, Index pairs, double sign, std::complex<double>* sequence);

/// Permutes a sequence back to the rings, times `sign`.
void sequence_to_rings(const std::complex<double>* sequence, Index pairs, double sign, Halves rings);

/// Computes coefficients from the spectrum of a sequence: coefficients_k = t_k s_k + sign conj(t_k) s_{length - k}, k =
/// 0 .. degree < length, where s_length means s_0. `twiddle`: t_k.
void fold_spectrum(const std::complex<double>* spectrum, Index length, const std::complex<double>* twiddle, double sign,
                   Index degree, std::complex<double>* coefficients);

/// The transpose of fold_spectrum: s_k = sum of t_k c_k and sign conj(t_{length - k}) c_{length - k}, for coefficients
/// that exist; overwrites s. t_k must be exp(-i pi k / (2 length)).
void unfold_spectrum(const std::complex<double>* coefficients, Index length, const std::complex<double>* twiddle,
                     double sign, Index degree, std::complex<double>* spectrum);

/// sequence_i *= sign weights_i.
void weigh_sequence(const double* weights, double sign, Index length, std::complex<double>* sequence);

}  // namespace armilla::resample
