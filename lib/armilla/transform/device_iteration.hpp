#pragma once

#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/ring_scheme.hpp>

namespace armilla::transform {

/// Working space that each part of a stage for whole maps may take, on devices of several ranks.
inline constexpr Index kWholeMapsWork = Index{256} << 20;

/// Bytes that FieldTransform::iterate() takes of a device on `rank`: coefficients and spectra of what is left, and
/// where ranks take whole maps, these with a transform for them. Of those, the bytes of that transform, which is kept
/// where there are several maps.
template <class T>
Index device_iterate_bytes(const FieldTransformSpec& spec, int rank, RingScheme scheme, Index iterations);
template <class T>
Index kept_device_iterate_bytes(const FieldTransformSpec& spec, int rank, RingScheme scheme);

extern template Index device_iterate_bytes<float>(const FieldTransformSpec&, int, RingScheme, Index);
extern template Index device_iterate_bytes<double>(const FieldTransformSpec&, int, RingScheme, Index);
extern template Index kept_device_iterate_bytes<float>(const FieldTransformSpec&, int, RingScheme);
extern template Index kept_device_iterate_bytes<double>(const FieldTransformSpec&, int, RingScheme);

}  // namespace armilla::transform
