#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/types.hpp>

#include <string>
#include <vector>

namespace armilla::legendre {

using core::Index;

/// The recurrence of the scalar kernel, with variable x2 and the two coefficients of a step (ScalarTables). kTwoTerm:
/// y_{k+1} = (a x2 + b) y_k + y_{k-1}; kEquator: v_k = v_{k-1} + a y_k, y_{k+1} = y_k + (b x2) v_k.
enum class ScalarForm { kTwoTerm, kEquator };

/// One m of the scalar recurrence at many ring pairs, in vectors. Arrays over pairs are padded to a multiple of
/// kPairPadding with copies of the last pair. All arrays are aligned to cache lines, and field_stride is a multiple of
/// the line size.
struct ScalarKernelTask {
  ScalarForm form = ScalarForm::kTwoTerm;
  Index steps = 0;
  Index fields = 0;                     ///< 1 or 2
  Index field_stride = 0;               ///< of coefficients and their sums: stride between fields
  Index pairs = 0;                      ///< padded
  Index low_pairs = 0;                  ///< padded; these pairs use rows_low, later ones rows; 0 for kEquator
  Index low_count = 0;                  ///< of low_pairs, without padding
  Index count = 0;                      ///< of the later pairs, without padding
  const double* rows_low = nullptr;     ///< [step][2]
  const double* rows = nullptr;         ///< [step][2]
  const double* x2 = nullptr;           ///< [pair]
  const double* start = nullptr;        ///< [pair] y_0 * 2^(-kScaleBits scale)
  const double* start_scale = nullptr;  ///< [pair] 0 or negative integers
  bool contributes = false;             ///< whether all pairs do from the first step on: all of start_scale is 0
  const double* values = nullptr;       ///< [step][pair] scalar_values() of this task, if they are kept; may be null
};

/// The number of lanes of the widest vectors.
inline constexpr Index kPairPadding = 8;

/// Memory of the kernels that one thread reuses between calls; it grows as needed.
struct ScalarKernelWorkspace {
  core::AlignedVector<double> values, state, lanes, halves;
  std::vector<Index> steps;
};

/// values[step][pair] = y_k, with zero for lanes that do not contribute. Scalar kernels of a task with values read them
/// and give bitwise identical results for finite input. `values` is aligned to cache lines.
void scalar_values(const ScalarKernelTask& task, double* values);

/// sums[field][4][pair] = sum over steps k of y_k coefficients[field][k][4], k ascending; overwrites sums. Lanes
/// contribute from about 2^-80. Sums stay in registers throughout. (For more fields: batch_kernel.hpp.)
void scalar_synthesis(const ScalarKernelTask& task, const double* coefficients, double* sums,
                      ScalarKernelWorkspace& work);

/// The transpose: sums[field][k][4] of y_k rings[vector of pairs][field][4][lane] over vectors of pairs in ascending
/// order, then over their lanes; overwrites sums. Vectors of partial sums of a tile of steps stay in the L1 cache.
void scalar_adjoint(const ScalarKernelTask& task, const double* rings, double* sums, ScalarKernelWorkspace& work);

/// Name of the instruction set used by the kernels on this machine, such as "AVX3" (AVX-512).
std::string kernel_instruction_set();

}  // namespace armilla::legendre
