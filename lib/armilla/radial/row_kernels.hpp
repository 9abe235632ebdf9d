#pragma once

#include <armilla/core/types.hpp>

namespace armilla::radial {

using core::Index;

// Inner loops, vectorised with run-time dispatch. Arrays of modes are aligned to 64 bytes; their lengths and counts of
// modes are multiples of kModeStep.

inline constexpr Index kModeStep = 64;

/// The angles x_m that a spectrum is evaluated at.
struct RowAngles {
  const double* cosine;       ///< cos(x_m)
  const double* half_cosine;  ///< cos(x_m / 2) for rows without a sample on the axis; null for others
  const double* versine;      ///< 2 - 2 cos(x_m) without cancellation; null where x_m is not small
};

/// spectrum[m] = samples[0] + sum over s = 1 .. count - 1 of samples[s] cos(s x_m), for `modes` modes: the spectrum of
/// an even row, by Clenshaw's recurrence, and with versines by Reinsch's form of it, which is accurate at small angles
/// (Stoer & Bulirsch 2002, 2.3.2). With half cosines the sum over s >= 0 of samples[s] cos((s + 1/2) x_m).
void row_spectrum(const double* samples, Index count, const RowAngles& angles, Index modes, double* spectrum);

/// A row that is summed: its spectrum, and the modes of the input ring, real and imaginary parts apart.
struct RowTerm {
  const double* spectrum;
  const double* re;
  const double* im;
};

/// re[m] + i im[m] += spectrum[m] (re[m] + i im[m]) of each term, one after the other.
void add_rows(const RowTerm* terms, Index count, Index modes, double* re, double* im);

/// A row of an input ring that is summed in pixels, for two output rings: of output ring g, pixel p is the sum over
/// k = first[g] .. end[g] - 1 of weights[g][k - first[g]] in[p + k]. None of an output ring where end = first.
struct StencilTerm {
  const double* in;  ///< of any alignment
  const double* weights[2];
  Index first[2], end[2];
};

/// Adds the terms to pixels 0 .. pixels - 1 of both output rings, one after the other and by ascending k; `out`[1] is
/// null where there is one ring.
void add_stencils(const StencilTerm* terms, Index count, Index pixels, double* const (&out)[2]);

/// Copies pixels; `streamed`: past the caches.
void write_pixels(const double* in, Index count, bool streamed, double* out);

}  // namespace armilla::radial
