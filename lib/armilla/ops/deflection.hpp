#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <complex>
#include <span>

#include <kernels/lensing/displacement.hpp>

namespace armilla::ops {

using core::Index;

/// Contents of a deflection: the vectors only, or also their derivatives.
enum class DeflectionParts { kVectors, kDerivatives };

/// FieldKind::vector(), and with derivatives also CONVERGENCE, ROTATION (spin 0) and SHEAR_1, SHEAR_2 (spin 2), the
/// members of DisplacementGradient.
transform::FieldKind deflection_kind(DeflectionParts parts);
/// FieldKind::vector() and MAGNIFICATION.
transform::FieldKind magnification_kind();

/// A displacement d at one point and its derivatives. Vectors are complex numbers: the southward component plus i times
/// the eastward component. With the covariant derivative D of the unit sphere,
///   convergence + i rotation = (D_theta - i D_phi) d / 2,   shear = (D_theta + i D_phi) d / 2.
struct DisplacementGradient {
  std::complex<double> displacement;  ///< d [rad]
  double convergence, rotation;
  std::complex<double> shear;
};

/// The gradient at point i, from components [part] of deflection_kind(kDerivatives).
template <class T>
DisplacementGradient gradient_at(const std::span<const T>* parts, std::size_t i);

/// The derivative, at one point, of the map n -> n' = exp_n(d(n)) of the sphere onto itself. The matrix maps vectors at
/// n to vectors at n'. The axes are u along d and v to its left, parallel-transported to n'. The columns are Jacobi
/// fields: the component along the geodesic grows linearly, and the perpendicular component varies as cosine and sine.
struct DisplacementMatrix {
  double angle;                ///< |d|
  double cosine, share;        ///< cos(|d|), and sin(|d|) / |d|
  std::complex<double> along;  ///< u
  double uu, uv, vu, vv;

  explicit DisplacementMatrix(const DisplacementGradient& of);
  /// det(dn'/dn), the area of the image of a small area; negative if the orientation is reversed. With g = Re(shear
  /// conj(u)^2), the shear along d, it is
  ///   (1 + convergence) (cosine + share convergence) + (cosine - share) g - share |shear|^2 + share rotation^2.
  double determinant() const { return uu * vv - uv * vu; }
};

/// Not collective. Computes the coefficients of deflection_kind(..), the kind of `to`, from a potential or a field of
/// spin 1, the kind of `from`:
///   E_lm = sqrt(l (l + 1)) phi_lm,   convergence_lm = -sqrt(l (l + 1)) E_lm / 2,   rotation_lm the same from B_lm,
///   shear E_lm = -sqrt((l - 1) (l + 2)) E_lm / 2, and the same from B_lm.
/// Overwrites `to`, which has the same layout and number of maps.
template <class T>
void make_deflection(const transform::AlmField<T>& from, transform::AlmField<T>& to);

/// Not collective. Computes vectors and determinants, magnification_kind(), from a map of vectors and derivatives;
/// overwrites `to`.
template <class T>
void magnification(const transform::MapField<T>& deflection, transform::MapField<T>& to);

/// Violations of the assumptions of gravitational lensing in a deflection.
using kernels::DeflectionFaults;

/// Collective. Checks all pixels of map `map`, a map of vectors or of magnification_kind(), in the memory that holds
/// them. `least` is infinite for vectors alone.
template <class T>
DeflectionFaults find_deflection_faults(const comm::Communicator& comm, const transform::MapField<T>& vectors,
                                        Index map);

}  // namespace armilla::ops
