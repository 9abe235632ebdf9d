#pragma once

#include <armilla/transform/field.hpp>

#include <string>
#include <vector>

namespace armilla::ops {

using core::Index;

/// The meaning of the two components of a tangent vector field v on a sphere of radius a. With the velocity potential
/// chi and the stream function psi,
///   v = grad chi + r x grad psi,   divergence = div v = laplacian chi,   vorticity = r . curl v = laplacian psi,
/// where r points up and the laplacian of degree l is -l (l + 1) / a^2.
enum class VectorForm {
  /// Maps: southward and eastward component; alm: E = sqrt(l (l + 1)) chi / a, B = sqrt(l (l + 1)) psi / a.
  kThetaPhi,
  /// Maps: eastward and northward component u, v; alm: E = sqrt(l (l + 1)) psi / a, B = -sqrt(l (l + 1)) chi / a,
  /// because u + i v is -i times the complex value of kThetaPhi.
  kWind,
  kVorticityDivergence,  ///< two scalars
  kStreamPotential       ///< two scalars: stream function, velocity potential
};

/// "theta_phi", "wind", "vorticity_divergence", "stream_potential", in enumeration order.
std::vector<std::string> vector_form_names();
const char* name_of(VectorForm form);

/// The two components of a form: FieldKind::vector(), FieldKind::wind(), VORTICITY and DIVERGENCE, STREAM and
/// POTENTIAL.
transform::FieldKind kind_of(VectorForm form);

/// `kind` with the two components starting at `first` replaced by those of `form`.
transform::FieldKind converted_kind(const transform::FieldKind& kind, Index first, VectorForm form);

/// The power of length in the unit of a form relative to that of a velocity: 1 for a stream function, -1 for a
/// vorticity.
int length_power(VectorForm form);

/// Not collective. Converts components `first` and `first + 1` of all maps from one form to another, in place, on a
/// sphere of the given radius. The kind becomes converted_kind(). Degree 0, which vector fields do not have, is set to
/// 0.
template <class T>
void convert_vector(transform::AlmField<T>& alm, Index first, VectorForm from, VectorForm to, double radius);

/// Not collective. Converts all pairs of components of all maps of `in` from one form to another, to `out`, which has
/// the same layout, maps and number of components, on a sphere of the given radius. Degree 0 is set to 0. The kinds are
/// not changed.
template <class T>
void convert_vectors(const transform::AlmField<T>& in, VectorForm from, transform::AlmField<T>& out, VectorForm to,
                     double radius);

}  // namespace armilla::ops
