#pragma once

#include <armilla/transform/field_transform.hpp>

#include <string>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Axes of the components of a gradient.
enum class TangentAxes {
  kThetaPhi,  ///< southward and eastward: d/dtheta and 1/sin(theta) d/dphi, named X_THETA, X_PHI for a scalar X
  kEastNorth  ///< 1/sin(theta) d/dphi and -d/dtheta, named X_EAST, X_NORTH
};

/// Two components of spin 1 for each component of `scalars`. Throws InputError if one is not a scalar.
transform::FieldKind gradient_kind(const transform::FieldKind& scalars, TangentAxes axes);

/// Not collective. Computes the gradient of each component of `scalars` on a sphere of the given radius, as
/// coefficients of spin 1: E = sqrt(l (l + 1)) a_lm / radius and B = 0. For kEastNorth, E = 0 and B has the opposite
/// sign. Overwrites `vectors`, which has gradient_kind() and the same layout.
template <class T>
void gradient_coefficients(const transform::AlmField<T>& scalars, transform::AlmField<T>& vectors, TangentAxes axes,
                           double radius);

/// Not collective. The transpose of gradient_coefficients(). Overwrites `scalars`.
template <class T>
void adjoint_gradient_coefficients(const transform::AlmField<T>& vectors, transform::AlmField<T>& scalars,
                                   TangentAxes axes, double radius);

/// Collective. Computes the gradient of each component of `scalars` on a sphere of the given radius, by the spin-1
/// transform: E = sqrt(l (l + 1)) a_lm / radius, B = 0. At a pole, a pixel of longitude phi has the limit along the
/// meridian phi. Overwrites `map`; `transform`, between their layouts, is of gradient_kind(). Allocates two alm per
/// scalar.
template <class T>
void gradient(transform::FieldTransform<T>& transform, const transform::AlmField<T>& scalars,
              transform::MapField<T>& map, TangentAxes axes, double radius);

/// Collective. The adjoint of gradient(): the scalar coefficients of a map of tangent vectors, a sum over pixels
/// without weights; overwrites `scalars`. Allocates two alm per scalar.
template <class T>
void adjoint_gradient(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                      transform::AlmField<T>& scalars, TangentAxes axes, double radius);

/// Memory of gradient() and adjoint_gradient() on `rank`, without their arguments; `spec` is that of the transform.
template <class T>
core::MemoryEstimate gradient_memory(const transform::FieldTransformSpec& spec, int rank) {
  return {.workspace = spec.alm_memory<T>(rank).held()};
}

}  // namespace armilla::ops
