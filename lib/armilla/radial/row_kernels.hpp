#pragma once

#include <armilla/core/types.hpp>

namespace armilla::radial {

using core::Index;

// The inner loops, compiled for each instruction set. Arrays of modes are aligned to 64 bytes and have room for a
// multiple of kModeStep numbers; a count is such a multiple.

inline constexpr Index kModeStep = 64;

/// spectrum[m] = samples[0] + sum over s = 1 .. count - 1 of samples[s] cos(s x_m), for `modes` modes: the spectrum of
/// an even row, by Clenshaw's recurrence; cos_x[m] = cos(x_m).
void row_spectrum(const double* samples, Index count, const double* cos_x, Index modes, double* spectrum);

/// A row that is summed: its spectrum, and the modes of the input ring, real and imaginary parts apart.
struct RowTerm {
  const double* spectrum;
  const double* re;
  const double* im;
};

/// re[m] + i im[m] += spectrum[m] (re[m] + i im[m]) of each term, one after the other.
void add_rows(const RowTerm* terms, Index count, Index modes, double* re, double* im);

/// out[p] += sum over k of weights[k] in[p + k], p = 0 .. pixels - 1; of any alignment.
void add_stencil(const double* weights, Index count, const double* in, Index pixels, double* out);

}  // namespace armilla::radial
