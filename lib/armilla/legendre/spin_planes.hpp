#pragma once

#include <armilla/core/types.hpp>

#include <complex>

namespace armilla::legendre {

using core::Index;

/// Factors that convert coefficients c_l of a scalar to those of the steps of one m, l = m + 2 k, and back
/// (ScalarTables): even_k = low_k c_l + high_k c_{l+2}, odd_k = alpha_k c_{l+1}.
struct StepFactors {
  const double* alpha;  ///< [step]
  const double* low;    ///< [step]
  const double* high;   ///< [step], with a zero before the first
  Index m;
  Index lmax;
  Index steps;
};

/// Intermediate coefficients in the conversion of a spin and one m to scalar form, by degree starting at m. They are
/// the real and imaginary parts of half the sum, s, and half the difference, t, of the coefficients of spin and m and
/// of -spin and -m. All arrays are padded by a whole vector at the end and by one element at the start.
struct SpinPlanes {
  double* s[2];
  double* t[2];
};

/// A band of DegreeTables for one m: pointers refer to degree m; root is sqrt(l^2 - m^2).
struct BandArrays {
  const double* a;
  const double* b;
  const double* c;
  const double* root;
  double m;
};

/// For l = m + i, i < count: s'_l = C_{l+1} s_{l+1} - A_{l-1} s_{l-1} + B_l t_l, and the same with s and t exchanged.
void lower_spin(const BandArrays& band, Index count, const SpinPlanes& in, const SpinPlanes& out);
/// The transpose: s_l = C_l s'_{l-1} - A_l s'_{l+1} + B_l t'_l.
void raise_spin(const BandArrays& band, Index count, const SpinPlanes& in, const SpinPlanes& out);

/// root[i] = sqrt(l^2 - m^2), l = m + i, from square roots of integers.
void multiply_roots(const double* whole_root, Index m, Index count, double* root);

/// Copies real and imaginary parts of `count` coefficients, times signs, to two arrays and back.
template <class T>
void split_planes(const std::complex<T>* c, Index count, double sign_re, double sign_im, double* re, double* im);
template <class T>
void join_planes(const double* re, const double* im, Index count, double sign_re, double sign_im, std::complex<T>* c);

/// Converts planes by degree, times signs, to coefficients of a field in the kernel's form, and the transpose; works on
/// whole vectors of steps.
void steps_of_planes(const StepFactors& factors, const double* re, const double* im, double sign_re, double sign_im,
                     double* field);
void planes_of_steps(const StepFactors& factors, const double* field, double sign_re, double sign_im, double* re,
                     double* im);

}  // namespace armilla::legendre
