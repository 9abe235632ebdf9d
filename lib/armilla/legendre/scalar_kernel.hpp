#pragma once

#include <armilla/core/types.hpp>

#include <string>
#include <vector>

namespace armilla::legendre {

using core::Index;

/// One m of the scalar recurrence at many ring pairs, for several fields at once that share each y_k. All arrays over
/// pairs are padded to a multiple of kPairPadding; padded pairs have start 0. A field has 4 real sums per pair or step:
/// real and imaginary part of the even and of the odd half.
struct ScalarKernelTask {
  Index steps = 0;
  Index fields = 0;
  Index pairs = 0;                      ///< padded
  const double* ab = nullptr;           ///< [step][a, b]
  const double* x2 = nullptr;           ///< [pair] cos^2(theta), or -sin^2(theta) with the polar form of ab
  const double* start = nullptr;        ///< [pair] y_0 * 2^(-kScaleBits scale)
  const double* start_scale = nullptr;  ///< [pair] 0 or negative whole numbers
};

inline constexpr Index kPairPadding = 32;
inline constexpr int kScaleBits = 800;

/// sums[field][4][pair] = sum over steps of y_k coefficients[step][field][4]; overwrites sums. Lanes count from about
/// 2^-70 on.
void scalar_synthesis(const ScalarKernelTask& task, const double* coefficients, double* sums);

/// sums[step][field][4] = sum over pairs of y_k rings[field][4][pair], in a fixed order; overwrites sums. `work` is
/// memory that grows as needed and is kept by the caller from call to call.
void scalar_adjoint(const ScalarKernelTask& task, const double* rings, double* sums, std::vector<double>& work);

/// Name of the instruction set that the kernels run with on this machine, such as "AVX3" (AVX-512).
std::string kernel_instruction_set();

}  // namespace armilla::legendre
