#pragma once

#include <armilla/core/types.hpp>

namespace armilla::radial {

using core::Index;

// Inner loops, vectorised with run-time dispatch. Arrays of modes are aligned to 64 bytes; their lengths and the
// numbers of modes are multiples of kModeStep.

inline constexpr Index kModeStep = 64;

/// The angles x_m at which a spectrum is evaluated.
struct RowAngles {
  const double* cosine;       ///< cos(x_m)
  const double* half_cosine;  ///< cos(x_m / 2) for rows without a sample on the axis; otherwise null
  const double* versine;      ///< 2 - 2 cos(x_m) without cancellation; null if x_m is not small
};

/// spectrum[m] = samples[0] + sum over s = 1 .. count - 1 of samples[s] cos(s x_m), for `modes` modes: the spectrum of
/// an even row, by Clenshaw's recurrence. With versines it uses Reinsch's variant, which is accurate at small angles
/// (Stoer & Bulirsch 2002, 2.3.2). With half cosines it is the sum over s >= 0 of samples[s] cos((s + 1/2) x_m).
void row_spectrum(const double* samples, Index count, const RowAngles& angles, Index modes, double* spectrum);

/// A row to be summed: its spectrum, and the modes of the input ring, with separate real and imaginary parts.
struct RowTerm {
  const double* spectrum;
  const double* re;
  const double* im;
};

/// re[m] + i im[m] += spectrum[m] (re[m] + i im[m]) for each term, in order.
void add_rows(const RowTerm* terms, Index count, Index modes, double* re, double* im);

/// A row of an input ring summed in pixels, for two output rings. For output ring g, pixel p is the sum over k =
/// first[g] .. end[g] - 1 of weights[g][k - first[g]] in[p + k]. An output ring with end = first is skipped.
struct StencilTerm {
  const double* in;  ///< any alignment
  const double* weights[2];
  Index first[2], end[2];
};

/// Adds the terms to pixels 0 .. pixels - 1 of both output rings, in order and by ascending k; `out`[1] is null if
/// there is only one ring.
void add_stencils(const StencilTerm* terms, Index count, Index pixels, double* const (&out)[2]);

/// Copies pixels; `streamed`: with non-temporal stores.
void write_pixels(const double* in, Index count, bool streamed, double* out);

}  // namespace armilla::radial
