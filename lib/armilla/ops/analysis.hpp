#pragma once

#include <armilla/ops/analysis_weights.hpp>
#include <armilla/transform/field_transform.hpp>

#include <variant>

namespace armilla::ops {

using core::Index;

/// alm = A map with the weights of the method, once.
struct Quadrature {};

/// alm = A map, then alm += A (map - Y alm) as often as asked, with the same weights each time (the iteration of
/// HEALPix and healpy).
struct Jacobi {
  Index iterations = 0;
};

/// How alm are found from a map.
struct AnalysisMethod {
  WeightsSpec weights;
  std::variant<Quadrature, Jacobi> solver;

  /// How many transforms it takes.
  Index transforms() const;
};

/// Collective. Finds the alm of a map; overwrites alm. `weights` are those of method.weights on the rings of the map.
template <class T>
void analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
              const AnalysisMethod& method, const AnalysisWeights& weights);

/// Collective. As above, with weights that are found for this once. Throws InputError as check_weights().
template <class T>
void analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
              const AnalysisMethod& method);

/// Bytes that analysis() allocates on `rank` besides its arguments, finding weights included: one more map and alm
/// where it iterates, one more map for pixel weights.
template <class T>
Index analysis_bytes(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method);

extern template void analysis<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                                     transform::AlmField<float>&, const AnalysisMethod&, const AnalysisWeights&);
extern template void analysis<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                                      transform::AlmField<double>&, const AnalysisMethod&, const AnalysisWeights&);
extern template void analysis<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                                     transform::AlmField<float>&, const AnalysisMethod&);
extern template void analysis<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                                      transform::AlmField<double>&, const AnalysisMethod&);
extern template Index analysis_bytes<float>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);
extern template Index analysis_bytes<double>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);

}  // namespace armilla::ops
