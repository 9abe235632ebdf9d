#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/types.hpp>
#include <armilla/legendre/degree_tables.hpp>
#include <armilla/legendre/spin_planes.hpp>

#include <complex>

namespace armilla::legendre {

/// Memory of one thread for the conversion of spins; it grows as needed.
struct SpinScratch {
  core::AlignedVector<double> planes[8];  ///< s and t, before and after a band (SpinPlanes)
};

/// Tables of the two-step recurrence in cos^2(theta) for the scalar functions of one m (Ishioka 2018), l = m + 2 k,
/// eps_l = sqrt((l^2 - m^2) / (4 l^2 - 1)). Also converts coefficients between the forms of transforms and kernels.
///
/// A sum over l of c_l lambda_l is E + cos(theta) O, E = sum of y_k even_k, O = sum of y_k odd_k, y_k = lambda_{l+1} /
/// (alpha_k cos(theta)), even_k = alpha_k (eps_{l+1} c_l + eps_{l+2} c_{l+2}), odd_k = alpha_k c_{l+1}. Any three
/// successive y satisfy
///   alpha_{k+1} eps_{l+2} eps_{l+3} y_{k+1} = alpha_k (cos^2 - eps_{l+1}^2 - eps_{l+2}^2) y_k - alpha_{k-1} eps_l
///   eps_{l+1} y_{k-1},
/// and alpha is free. Two choices are used:
/// - ScalarForm::kTwoTerm: the last factor becomes +1 (Ishioka), with two fused multiply-adds per step. The variable is
///   cos^2, or -sin^2 with a matching b (rows_polar); the smaller of the two has the smaller rounding error. Near the
///   equator accuracy decreases like eps sqrt(l) / cos(theta): successive y are nearly equal there, and the rounding
///   error of b is that of their difference;
/// - ScalarForm::kEquator: alpha_k is lambda_{l+1} / cos(theta) at the equator, so that y is 1 there. With G_k =
///   alpha_k alpha_{k+1} eps_{l+2} eps_{l+3}, G_k (y_{k+1} - y_k) = G_{k-1} (y_k - y_{k-1}) + alpha_k^2 cos^2 y_k,
///   without any cancellation.
class ScalarTables {
 public:
  /// Allocates memory for any m >= least_m of these degrees, which must outlive this object.
  explicit ScalarTables(const DegreeTables& degrees, Index least_m = 0);

  /// Computes the tables of another m, 0 <= m <= scalar_lmax; rows_polar and the equator tables only if requested.
  void set(Index m, bool polar, bool equator);

  /// Number of steps k, for l = m, m + 2, ... up to scalar_lmax.
  Index steps() const { return steps_; }
  const double* rows() const { return rows_.data(); }              ///< [step][a, b] for cos^2
  const double* rows_polar() const { return rows_polar_.data(); }  ///< [step][a, b] for -sin^2
  const double* rows_equator() const { return rows_equator_.data(); }

  StepFactors step_factors() const;

  /// Upper bound of the number of values that an object for m >= least_m allocates.
  static Index numbers(Index scalar_lmax, Index least_m, Index spin);

  /// Stride between fields of the kernel's coefficients.
  Index field_stride() const { return field_stride_; }

  /// The kernel's coefficients [step][even re, even im, odd re, odd im] of kTwoTerm: one field from c_l of a scalar,
  /// two from E_l, B_l of a spin (signs of math/spin.hpp). Pointers refer to degree 0; no degree below m is read.
  template <class T>
  void load(const std::complex<T>* c, double* field) const;
  template <class T>
  void load(const std::complex<T>* e, const std::complex<T>* b, SpinScratch& scratch, double* field_q,
            double* field_u) const;
  /// The transposes, from sums over rings; they overwrite degrees m .. lmax of c, e, b.
  template <class T>
  void store(const double* field, std::complex<T>* c) const;
  template <class T>
  void store(const double* field_q, const double* field_u, SpinScratch& scratch, std::complex<T>* e,
             std::complex<T>* b) const;

  /// out = factor of kEquator over kTwoTerm times coefficients [step][row]; `row` is a multiple of four. It converts
  /// coefficients of kTwoTerm to those for the equator. The operation is symmetric, so it also converts sums. Adds to
  /// `out` if `add` is set.
  void scale_equator(const double* coefficients, Index row, double* out, bool add) const;

 private:
  using Plane = core::AlignedVector<double>;
  template <class T>
  void split(const std::complex<T>* c, double sign_re, double sign_im, double* re, double* im) const;
  BandArrays band_arrays(std::size_t level) const;
  SpinPlanes planes(SpinScratch& scratch, int first) const;
  const DegreeTables& degrees_;
  Index m_ = 0;
  Index steps_ = 0;
  Index field_stride_ = 0;
  Plane alpha_, low_, high_, equator_;  ///< [k + kFront] alpha, alpha eps_{l+1}, alpha eps_{l+2}, factor
  Plane rows_, rows_polar_, rows_equator_;
  Plane root_;  ///< [l - m + kFront] sqrt(l^2 - m^2); only for spins
};

}  // namespace armilla::legendre
