#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/types.hpp>
#include <armilla/rotation/phases.hpp>

#include <vector>

namespace armilla::rotation {

/// Fields that a kernel rotates side by side at most: the matrix elements are made once for all of them. With three or
/// four, half as many m fit into registers, and nothing was gained.
inline constexpr Index kMaxFields = 2;
/// Numbers that kernels may read and write before the first and after the last of a row.
inline constexpr Index kRowPadding = 16;

/// h(n) = (n - 1)!! / n!!, n = 0 .. 2 lmax + 1, and its square root; 0 in the padding before and after. All that the
/// matrices d^l(pi/2) of all degrees up to lmax are made of.
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
  Index stride;                          ///< of one field in `pairs`
  core::AlignedVector<double> coupling;  ///< of the recurrence, [k]
  core::AlignedVector<double> pairs;     ///< [field][k][2]
};

/// Coefficients of one degree: real and imaginary parts in rows, field by field `stride` apart, a_lm at place m of its
/// row, kRowPadding numbers of room on both sides.
struct DegreeRows {
  Index degree;
  Index fields;  ///< 1 .. kMaxFields
  Index stride;
  double* real;
  double* imag;
};

/// a <- after . Y . between . Y a, Y the rotation by pi/2 about y of coefficients of a real field, and both tables of
/// phases with PhaseSign::kPairs. The imaginary part of a_l0 counts as zero, as that of the result is.
///
/// Y_mm' = d^l_mm'(pi/2) by its three-term recurrence in m' (Varshalovich et al. 1988, section 4.8), from m' = l
/// towards 0, for all m side by side. Scaled as
///   d_{m,l-k} = N_m (-1)^((k+1)/2) sqrt(h(k) h(2l-k)) v_k,   h(n) = (n-1)!!/n!!,
/// it is v_{k+1} = v_{k-1} + (-1)^k g_k m v_k with g_k = 2 h(k) h(2l-k), where m v_k in place of v_k for odd k leaves
/// one FMA in every other step. v grows from the classically forbidden m'^2 > (l+1/2)^2 - m^2, so it may begin anywhere
/// far enough in there, with any value, and N_m follows from d_m0 or d_m1, which are products of sqrt(h). Since
/// d_{m,-m'} = (-1)^(l+m) d_mm', real parts of a meet only m' of even l + m + m', imaginary parts only the others.
void rotate_degree(const DegreeRows& rows, const DoubleFactorials& factorials, const Phases& between,
                   const Phases& after, QuarterTurnWorkspace& work);

/// FMA of doubles, single multiplications among them, that the two quarter turns of one field need for all degrees up
/// to lmax where `fields` are rotated side by side: (3 / fields + 2) / 2 for each m, m' >= 0 that is classically
/// allowed.
double quarter_turn_fma(Index lmax, Index fields);

}  // namespace armilla::rotation
