#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/types.hpp>
#include <armilla/rotation/phases.hpp>

#include <vector>

namespace armilla::rotation {

/// Maximum number of fields that a kernel rotates together; the matrix elements are computed once for all of them. With
/// three or four fields, half as many m fit in registers, and the kernel is not faster.
inline constexpr Index kMaxFields = 2;
/// Number of elements that kernels may read and write before the first and after the last element of a row.
inline constexpr Index kRowPadding = 16;

/// h(n) = (n - 1)!! / n!!, n = 0 .. 2 lmax + 1, and its square root; the padding is 0. The matrices d^l(pi/2) of all
/// degrees up to lmax are computed from these values.
class DoubleFactorials {
 public:
  explicit DoubleFactorials(Index lmax);
  const double* ratio() const { return ratio_.data() + kRowPadding; }
  const double* root() const { return root_.data() + kRowPadding; }

 private:
  core::AlignedVector<double> ratio_;
  core::AlignedVector<double> root_;
};

/// Memory of one thread.
struct QuarterTurnWorkspace {
  explicit QuarterTurnWorkspace(Index lmax);
  Index stride;                          ///< distance between fields in `pairs`
  core::AlignedVector<double> coupling;  ///< [k] coefficients of the recurrence
  core::AlignedVector<double> pairs;     ///< [field][k][2]
};

/// Coefficients of one degree: rows of real and of imaginary parts; fields are `stride` apart. a_lm is at index m of
/// its row, with kRowPadding elements of padding on both sides.
struct DegreeRows {
  Index degree;
  Index fields;  ///< 1 .. kMaxFields
  Index stride;
  double* real;
  double* imag;
};

/// a <- after . Y . between . Y a, where Y is the rotation by pi/2 about y of coefficients of a real field. Both tables
/// of phases have PhaseSign::kPairs. The imaginary part of a_l0 is treated as zero, and that of the result is zero.
///
/// Y_mm' = d^l_mm'(pi/2) is computed by its three-term recurrence in m' (Varshalovich et al. 1988, section 4.8), from
/// m' = l towards 0, for all m in parallel. Scaled as
///   d_{m,l-k} = N_m (-1)^((k+1)/2) sqrt(h(k) h(2l-k)) v_k,   h(n) = (n-1)!!/n!!,
/// it is v_{k+1} = v_{k-1} + (-1)^k g_k m v_k with g_k = 2 h(k) h(2l-k). Storing m v_k instead of v_k for odd k leaves
/// one FMA in every other step. v grows from the classically forbidden region m'^2 > (l+1/2)^2 - m^2, so it may start
/// with any value far enough inside it. N_m follows from d_m0 or d_m1, which are products of sqrt(h). Since d_{m,-m'} =
/// (-1)^(l+m) d_mm', real parts of a couple only to m' of even l + m + m', imaginary parts only to the others.
void rotate_degree(const DegreeRows& rows, const DoubleFactorials& factorials, const Phases& between,
                   const Phases& after, QuarterTurnWorkspace& work);

/// Number of double-precision FMA, including single multiplications, for the two quarter turns of one field for all
/// degrees up to lmax. With `fields` rotated together, it is (3 / fields + 2) / 2 for each classically allowed m, m' >=
/// 0.
double quarter_turn_fma(Index lmax, Index fields);

}  // namespace armilla::rotation
