#pragma once

#include <armilla/core/types.hpp>
#include <armilla/math/wigner.hpp>

#include <vector>

namespace armilla::legendre {

using core::Index;

/// One m of the Wigner recurrence of a spin > 0 at many ring pairs, in vectors. Arrays over pairs are padded to a
/// multiple of kPairPadding with copies of the last pair.
struct WignerKernelTask {
  Index steps = 0;                                  ///< degrees: l = lowest .. lmax
  Index maps = 0;                                   ///< each with two components
  Index pairs = 0;                                  ///< padded
  int first_parity = 0;                             ///< math::parity of the lowest degree
  int spin_sign = 1;                                ///< (-1)^spin
  const math::WignerStep<double>* table = nullptr;  ///< [steps - 1]
  const double* one_minus_cos = nullptr;            ///< [pair]
  const double* start_plus = nullptr;               ///< [pair] slambda of the lowest degree * 2^(-kScaleBits scale)
  const double* start_minus = nullptr;              ///< [pair] of spin -s
  const double* scale_plus = nullptr;               ///< [pair] 0 or negative whole numbers
  const double* scale_minus = nullptr;              ///< [pair]
};

/// sums[component][map][4][pair] = real and imaginary part of the even and of the odd half of Delta, from coefficients
/// [step][map][E re, E im, B re, B im]; overwrites sums. Signs as in math/spin.hpp.
void wigner_synthesis(const WignerKernelTask& task, const double* coefficients, double* sums);

/// The transpose: adds up rings[component][map][4][pair] into sums [step][map][4], in a fixed order; overwrites sums.
void wigner_adjoint(const WignerKernelTask& task, const double* rings, double* sums, std::vector<double>& work);

}  // namespace armilla::legendre
