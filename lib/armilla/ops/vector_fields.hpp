#pragma once

#include <armilla/transform/field.hpp>

#include <string>
#include <vector>

namespace armilla::ops {

using core::Index;

/// What the two components of a field of tangent vectors v on a sphere of radius a are. With the velocity potential chi
/// and the stream function psi,
///   v = grad chi + r x grad psi,   divergence = div v = laplacian chi,   vorticity = r . curl v = laplacian psi,
/// where r points up and the laplacian of degree l is -l (l + 1) / a^2.
enum class VectorForm {
  kThetaPhi,             ///< maps: southward and eastward component; alm: E = sqrt(l (l + 1)) chi / a, B = that of psi
  kWind,                 ///< maps: eastward and northward component u, v; alm: E = sqrt(l (l + 1)) psi / a, B = minus
                         ///< that of chi, for u + i v is -i times what kThetaPhi makes a complex number
  kVorticityDivergence,  ///< two scalars
  kStreamPotential       ///< two scalars: stream function, velocity potential
};

/// "theta_phi", "wind", "vorticity_divergence", "stream_potential", in the order of the enumeration.
std::vector<std::string> vector_form_names();
const char* name_of(VectorForm form);

/// The two components of a form: FieldKind::vector(), FieldKind::wind(), VORTICITY and DIVERGENCE, STREAM and
/// POTENTIAL.
transform::FieldKind kind_of(VectorForm form);

/// `kind` with the two components from `first` on replaced by those of `form`.
transform::FieldKind converted_kind(const transform::FieldKind& kind, Index first, VectorForm form);

/// Powers of a length that the unit of a form has above that of a velocity: 1 for a stream function, -1 for a
/// vorticity.
int length_power(VectorForm form);

/// Rewrites components `first` and `first + 1` of all maps from one form to another, in place, on a sphere of that
/// radius; the kind becomes converted_kind(). Degree 0, which no vector field has, becomes 0. Not collective.
template <class T>
void convert_vector(transform::AlmField<T>& alm, Index first, VectorForm from, VectorForm to, double radius);

}  // namespace armilla::ops
