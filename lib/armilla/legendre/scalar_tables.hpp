#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/types.hpp>
#include <armilla/legendre/scalar_kernel.hpp>

#include <complex>
#include <span>
#include <vector>

namespace armilla::legendre {

/// What the tables of every m of one spin share: numbers that depend on the degree only.
///
/// The bands take coefficients of spin s to scalar ones, sin^s(theta) sum of c_l slambda_l = sum of c'_l lambda_l with
/// l up to lmax + s, by applying s times
///   sin(theta) sY_lm = -A_l (s-1)Y_{l+1,m} + B_l (s-1)Y_{l,m} + C_l (s-1)Y_{l-1,m}
/// (recurrences of Wigner functions in the spin; Varshalovich et al. 1988, section 4.8), where
///   A_l = a_l sqrt((l+1)^2 - m^2), B_l = b_l m, C_l = c_l sqrt(l^2 - m^2).
struct DegreeTables {
  struct Band {
    core::AlignedVector<double> a, b, c;  ///< [l + kFront]; 0 below the spin of the level
    Index spin;                           ///< of the coefficients that come in
  };
  /// Places before the first degree, so that l - 1 may be read.
  static constexpr Index kFront = 8;

  DegreeTables(Index spin, Index lmax);

  Index spin;
  Index lmax;                                ///< of the coefficients
  Index scalar_lmax;                         ///< of the scalar functions: lmax + spin
  Index end;                                 ///< degrees below this one have entries
  core::AlignedVector<double> inverse_root;  ///< [l + kFront] 1 / sqrt(4 l^2 - 1); 0 for l = 0
  std::vector<Band> bands;                   ///< for spin, spin - 1, .., 1
};

struct BandArrays;

/// What takes coefficients c_l of a scalar to those of the steps of one m, l = m + 2 k, and back (ScalarTables):
/// even_k = low_k c_l + high_k c_{l+2}, odd_k = alpha_k c_{l+1}.
struct StepFactors {
  const double* alpha;  ///< [step]
  const double* low;    ///< [step]
  const double* high;   ///< [step] and a zero before the first
  Index m;
  Index lmax;
  Index steps;
};

/// Tables of the two-step recurrence in cos^2(theta) for the scalar functions of one m (Ishioka 2018), l = m + 2 k,
/// eps_l = sqrt((l^2 - m^2) / (4 l^2 - 1)), and coefficients between the forms that transforms and kernels take.
///
/// A sum over l of c_l lambda_l is E + cos(theta) O, E = sum of y_k even_k, O = sum of y_k odd_k, y_k = lambda_{l+1} /
/// (alpha_k cos(theta)), even_k = alpha_k (eps_{l+1} c_l + eps_{l+2} c_{l+2}), odd_k = alpha_k c_{l+1}. Of any three
/// successive y
///   alpha_{k+1} eps_{l+2} eps_{l+3} y_{k+1} = alpha_k (cos^2 - eps_{l+1}^2 - eps_{l+2}^2) y_k - alpha_{k-1} eps_l
///   eps_{l+1} y_{k-1},
/// and alpha is free. Two choices:
/// - the last factor becomes +1 (Ishioka): ScalarForm::kTwoTerm, two fused multiply-adds. Its variable is cos^2, or
///   -sin^2 with b to match (rows_polar): the smaller of the two has the smaller rounding. Near the equator it loses
///   like eps sqrt(l) / cos(theta): successive y go on alike there, and the rounding of b is of their difference;
/// - alpha_k is lambda_{l+1} / cos(theta) at the equator, so that y is 1 there and, with G_k = alpha_k alpha_{k+1}
/// eps_{l+2}
///   eps_{l+3}, G_k (y_{k+1} - y_k) = G_{k-1} (y_k - y_{k-1}) + alpha_k^2 cos^2 y_k: ScalarForm::kEquator, without
///   any cancellation.
class ScalarTables {
 public:
  /// Room for any m of these degrees, which must outlive this object.
  explicit ScalarTables(const DegreeTables& degrees);

  /// Makes the tables of another m, 0 .. scalar_lmax; those of the equator only where asked for.
  void set(Index m, bool equator);

  /// Number of steps k, for l = m, m + 2, ... up to scalar_lmax.
  Index steps() const { return steps_; }
  const double* rows() const { return rows_.data(); }              ///< [step][a, b] for cos^2
  const double* rows_polar() const { return rows_polar_.data(); }  ///< [step][a, b] for -sin^2
  const double* rows_equator() const { return rows_equator_.data(); }

  StepFactors step_factors() const;

  /// Numbers from one field of the kernel's coefficients to the next.
  Index field_stride() const { return field_stride_; }

  /// The kernel's coefficients [step][even re, even im, odd re, odd im] of kTwoTerm: one field from c_l of a scalar,
  /// two from E_l, B_l of a spin (signs of math/spin.hpp). Pointers are to degree 0; none below m is read.
  template <class T>
  void load(const std::complex<T>* c, double* field);
  template <class T>
  void load(const std::complex<T>* e, const std::complex<T>* b, double* field_q, double* field_u);
  /// The transposes, from sums over rings; overwrite degrees m .. lmax of c, e, b.
  template <class T>
  void store(const double* field, std::complex<T>* c);
  template <class T>
  void store(const double* field_q, const double* field_u, std::complex<T>* e, std::complex<T>* b);

  /// out = factor of kEquator over kTwoTerm times coefficients [step][row], row a multiple of four numbers: those for
  /// the equator from those of kTwoTerm, and, since it is its own transpose, sums likewise. Adds to `out` where asked.
  void scale_equator(const double* coefficients, Index row, double* out, bool add) const;

 private:
  using Plane = core::AlignedVector<double>;
  double* plane(int i) { return planes_[i].data() + DegreeTables::kFront; }
  template <class T>
  void split(const std::complex<T>* c, int re, int im);
  template <class T>
  void join(int re, int im, double sign_re, double sign_im, std::complex<T>* c) const;
  void to_steps(int re, int im, double sign_re, double sign_im, double* field);
  void from_steps(const double* field, int re, int im);
  BandArrays band_arrays(std::size_t level) const;

  const DegreeTables& degrees_;
  Index m_ = 0;
  Index steps_ = 0;
  Index field_stride_ = 0;
  Plane root_;                          ///< [l - m + kFront] sqrt(l^2 - m^2)
  Plane eps_;                           ///< [l - m]
  Plane ratio_;                         ///< [k] of work
  Plane alpha_, low_, high_, equator_;  ///< [k + kFront] alpha, alpha eps_{l+1}, alpha eps_{l+2}, factor
  Plane rows_, rows_polar_, rows_equator_;
  Plane planes_[8];  ///< [l - m + kFront] real and imaginary parts, before and after a band
};

}  // namespace armilla::legendre
