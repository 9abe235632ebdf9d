#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/types.hpp>
#include <armilla/math/wigner.hpp>

namespace armilla::legendre {

using core::Index;

/// The steps of one m (math::RisingStep), by step index.
struct RisingSteps {
  core::AlignedVector<double> slope, rise_plus, rise_minus, back_plus, back_minus;
};

/// Computes `count` steps starting at l = lowest_degree(spin, m); those of spin -s only if spin > 0.
void rising_steps(Index spin, Index m, Index count, RisingSteps& steps);

/// One m of the Wigner recurrence of a spin >= 0 at many ring pairs, in vectors. Arrays over pairs are padded to a
/// multiple of kPairPadding with copies of the last pair. Start values and scales are as in start_values.hpp.
struct WignerKernelTask {
  Index spin = 0;
  Index steps = 0;                        ///< degrees: l = lowest .. lmax
  Index maps = 0;                         ///< each with one component (spin 0) or two
  Index pairs = 0;                        ///< padded
  int first_parity = 0;                   ///< math::parity of the lowest degree
  const RisingSteps* table = nullptr;     ///< steps - 1 of them
  const double* one_minus_cos = nullptr;  ///< [pair]
  const double* start_plus = nullptr;     ///< [pair] slambda of the lowest degree
  const double* scale_plus = nullptr;     ///< [pair]
  const double* start_minus = nullptr;    ///< [pair] of spin -s; not read for spin 0
  const double* scale_minus = nullptr;    ///< [pair]
};

/// Computes sums[component][map][4][pair], the real and imaginary parts of the even and of the odd half of Delta;
/// overwrites sums. Coefficients are [step][map][2 or E re, E im, B re, B im], with signs as in math/spin.hpp.
void wigner_synthesis(const WignerKernelTask& task, const double* coefficients, double* sums);

/// The transpose: adds rings[component][map][4][pair] into sums [step][map][2 or 4], in a fixed order. Overwrites sums
/// and up to kPairPadding values after them.
void wigner_adjoint(const WignerKernelTask& task, const double* rings, double* sums, core::AlignedVector<double>& work);

}  // namespace armilla::legendre
