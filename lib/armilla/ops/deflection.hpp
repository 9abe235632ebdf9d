#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <complex>
#include <span>

namespace armilla::ops {

using core::Index;

/// What a deflection holds: the vectors, or their derivatives too.
enum class DeflectionParts { kVectors, kDerivatives };

/// FieldKind::vector(), and with derivatives CONVERGENCE, ROTATION (spin 0) and SHEAR_1, SHEAR_2 (spin 2): members of
/// DisplacementGradient.
transform::FieldKind deflection_kind(DeflectionParts parts);
/// FieldKind::vector() and MAGNIFICATION.
transform::FieldKind magnification_kind();

/// A displacement d at one point and its derivatives. Vectors are complex numbers, the southward plus i times the
/// eastward component; with the covariant derivative D of the unit sphere,
///   convergence + i rotation = (D_theta - i D_phi) d / 2,   shear = (D_theta + i D_phi) d / 2.
struct DisplacementGradient {
  std::complex<double> displacement;  ///< d [rad]
  double convergence, rotation;
  std::complex<double> shear;
};

/// Of point i of components [part] of deflection_kind(kDerivatives).
template <class T>
DisplacementGradient gradient_at(const std::span<const T>* parts, std::size_t i);

/// The derivative of the map n -> n' = exp_n(d(n)) of the sphere onto itself, at one point: the matrix that takes
/// vectors at n to those at n', in the axes u along d and v to the left of it, which are carried to n' by parallel
/// transport. The columns are Jacobi fields, whose part along the geodesic grows linearly, that across as cosine and
/// sine.
struct DisplacementMatrix {
  double angle;                ///< |d|
  double cosine, share;        ///< of it, and its sine over it
  std::complex<double> along;  ///< u
  double uu, uv, vu, vv;

  explicit DisplacementMatrix(const DisplacementGradient& of);
  /// det(dn'/dn), the area of the image of a small area, negative where it is turned over: with the shear along d,
  /// g = Re(shear conj(u)^2),
  ///   (1 + convergence) (cosine + share convergence) + (cosine - share) g - share |shear|^2 + share rotation^2.
  double determinant() const { return uu * vv - uv * vu; }
};

/// The coefficients of deflection_kind(..), that of `to`, of a potential or of a field of spin 1, the kind of `from`:
///   E_lm = sqrt(l (l + 1)) phi_lm,   convergence_lm = -sqrt(l (l + 1)) E_lm / 2,   rotation_lm the same of B_lm,
///   shear E_lm = -sqrt((l - 1) (l + 2)) E_lm / 2, and the same of B_lm.
/// Overwrites `to`, of the same layout and number of maps. Not collective.
template <class T>
void make_deflection(const transform::AlmField<T>& from, transform::AlmField<T>& to);

/// Vectors and determinants, of magnification_kind(), of a map of vectors and derivatives; overwrites `to`. Not
/// collective.
template <class T>
void magnification(const transform::MapField<T>& deflection, transform::MapField<T>& to);

/// Where a deflection is not what a lens does.
struct DeflectionFaults {
  Index too_long = 0;  ///< pixels displaced by more than pi
  double longest = 0;  ///< the largest displacement [rad]
  Index folded = 0;    ///< pixels of a determinant of 0 or less
  double least = 1;    ///< the least determinant
};

/// Collective. Over all pixels of map number `map`, of vectors or of magnification_kind().
template <class T>
DeflectionFaults find_deflection_faults(const comm::Communicator& comm, const transform::MapField<T>& vectors,
                                        Index map);

}  // namespace armilla::ops
