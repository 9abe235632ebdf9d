#pragma once

#include <armilla/core/types.hpp>

#include <complex>

namespace armilla::resample {

using core::Index;

/// Values at the northern and southern rings of many pairs, pole to equator, among others of their kind:
/// north of pair p at data[2 p stride], south at data[(2 p + 1) stride].
struct RingColumn {
  std::complex<double>* data;
  Index stride = 1;
};
struct ConstRingColumn {
  const std::complex<double>* data;
  Index stride = 1;
};

/// The same with northern and southern rings apart: those of pair p at north[p step] and south[p step].
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

// The passes over memory before, between and after the FFTs, in the vectors of the machine. Rings are equidistant,
// theta_j = pi (j + 1/2) / length, j = 0 .. length - 1, pair p being rings p and length - 1 - p. `sign` is +1 for
// columns that go on evenly past the pole, -1 for odd ones: their sine transform is the cosine transform of (-1)^j x_j
// with the coefficients in reverse. Arrays of complex numbers are aligned to 64 bytes.

/// Puts rings in the order in which one complex FFT gives their cosine transform (Makhoul 1980): even j ascending, then
/// odd j descending; of an odd column, odd j are negated. `pairs` is even.
void rings_to_sequence(ConstHalves rings, Index pairs, double sign, std::complex<double>* sequence);

/// Puts a sequence back to the rings, times `sign`.
void sequence_to_rings(const std::complex<double>* sequence, Index pairs, double sign, Halves rings);

/// coefficients_k = t_k s_k + sign conj(t_k) s_{length - k}, k = 0 .. degree < length, s_length meaning s_0: spectrum
/// of a sequence -> coefficients. `twiddle`: t_k.
void fold_spectrum(const std::complex<double>* spectrum, Index length, const std::complex<double>* twiddle, double sign,
                   Index degree, std::complex<double>* coefficients);

/// s_k = sum of t_k c_k and sign conj(t_{length - k}) c_{length - k}, as far as there are such coefficients; overwrites
/// s. The transpose of fold_spectrum. t_k must be exp(-i pi k / (2 length)).
void unfold_spectrum(const std::complex<double>* coefficients, Index length, const std::complex<double>* twiddle,
                     double sign, Index degree, std::complex<double>* spectrum);

/// sequence_i *= sign weights_i.
void weigh_sequence(const double* weights, double sign, Index length, std::complex<double>* sequence);

}  // namespace armilla::resample
