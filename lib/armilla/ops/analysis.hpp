#pragma once

#include <armilla/transform/field_transform.hpp>

#include <functional>

namespace armilla::ops {

using core::Index;

/// How alm are found from a map.
struct AnalysisMethod {
  Index jacobi_iterations = 0;  ///< 0: quadrature alone
};

/// Collective. alm = A map with the quadrature A of the grid, then alm += A (map - Y alm) as often as asked (the Jacobi
/// iteration of HEALPix and healpy). Overwrites alm. Where `remove_monopole` is set, the mean over all pixels is
/// subtracted from scalar components first; `map` itself stays as it is.
/// Needs one more map in memory where it iterates or subtracts.
template <class T>
void analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
              const AnalysisMethod& method, bool remove_monopole = false);

/// Bytes that analysis() allocates on `rank` besides its arguments.
template <class T>
Index analysis_bytes(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method,
                     bool remove_monopole);

extern template void analysis<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                                     transform::AlmField<float>&, const AnalysisMethod&, bool);
extern template void analysis<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                                      transform::AlmField<double>&, const AnalysisMethod&, bool);
extern template Index analysis_bytes<float>(const transform::FieldTransformSpec&, int, const AnalysisMethod&, bool);
extern template Index analysis_bytes<double>(const transform::FieldTransformSpec&, int, const AnalysisMethod&, bool);

}  // namespace armilla::ops
