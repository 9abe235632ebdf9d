#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/types.hpp>
#include <armilla/math/wigner.hpp>

namespace armilla::legendre {

using core::Index;

/// The steps of one m (math::RisingStep), by number of the step.
struct RisingSteps {
  core::AlignedVector<double> slope, rise_plus, rise_minus, back_plus, back_minus;
};

/// Makes `count` steps from l = lowest_degree(spin, m) on, those of spin -s only for spin > 0.
void rising_steps(Index spin, Index m, Index count, RisingSteps& steps);

/// One m of the Wigner recurrence of a spin >= 0 at many ring pairs, in vectors. Arrays over pairs are padded to a
/// multiple of kPairPadding with copies of the last pair; start values and scales as in start_values.hpp.
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

/// sums[component][map][4][pair] = real and imaginary part of the even and of the odd half of Delta, from coefficients
/// [step][map][2 or E re, E im, B re, B im]; overwrites sums. Signs as in math/spin.hpp.
void wigner_synthesis(const WignerKernelTask& task, const double* coefficients, double* sums);

/// The transpose: adds up rings[component][map][4][pair] into sums [step][map][2 or 4], in a fixed order; overwrites
/// sums and up to kPairPadding numbers behind them.
void wigner_adjoint(const WignerKernelTask& task, const double* rings, double* sums, core::AlignedVector<double>& work);

}  // namespace armilla::legendre
