#pragma once

#include <armilla/transform/field_transform.hpp>

namespace armilla::ops {

using core::Index;

/// How alm are found from a map.
struct AnalysisMethod {
  Index jacobi_iterations = 0;  ///< 0: quadrature alone
};

/// Collective. alm = A map with the quadrature A of the grid, then alm += A (map - Y alm) as often as asked (the Jacobi
/// iteration of HEALPix and healpy). Overwrites alm. Needs one more map and alm in memory where it iterates.
template <class T>
void analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
              const AnalysisMethod& method);

/// Bytes that analysis() allocates on `rank` besides its arguments.
template <class T>
Index analysis_bytes(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method);

extern template void analysis<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                                     transform::AlmField<float>&, const AnalysisMethod&);
extern template void analysis<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                                      transform::AlmField<double>&, const AnalysisMethod&);
extern template Index analysis_bytes<float>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);
extern template Index analysis_bytes<double>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);

}  // namespace armilla::ops
