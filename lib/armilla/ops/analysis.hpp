#pragma once

#include <armilla/ops/analysis_method.hpp>
#include <armilla/transform/field_transform.hpp>

#include <string>
#include <vector>

namespace armilla::ops {

/// Collective. Finds the alm of a map; overwrites alm. `weights` are those of method.weights on the rings of the map,
/// `maps` what a least-squares fit weighs pixels with. Returns what was reached for each map, or nothing for solvers
/// that iterate a number of times. Solvers that iterate until something is reached throw MapFaults, before they
/// iterate, where maps or their weights cannot be worked on.
template <class T>
std::vector<AnalysisOutcome> analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                                      transform::AlmField<T>& alm, const AnalysisMethod& method,
                                      const AnalysisWeights& weights, const FitMaps<T>& maps = {});

/// Collective. As above, with weights that are found for this once. Throws InputError as check_weights().
template <class T>
std::vector<AnalysisOutcome> analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                                      transform::AlmField<T>& alm, const AnalysisMethod& method,
                                      const FitMaps<T>& maps = {});

/// Maps and components of the larger of the mask and inverse variance of a fit; zeros for none.
struct FitMapsShape {
  Index maps = 0;
  Index components = 0;
};

/// Bytes that analysis() allocates on `rank` besides its arguments, finding weights included.
template <class T>
Index analysis_bytes(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method,
                     const FitMapsShape& shape = {});

/// Of these, what a transform of several maps keeps until it is gone.
template <class T>
Index kept_analysis_bytes(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method);

extern template Index kept_analysis_bytes<float>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);
extern template Index kept_analysis_bytes<double>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);
extern template std::vector<AnalysisOutcome> analysis<float>(transform::FieldTransform<float>&,
                                                             const transform::MapField<float>&,
                                                             transform::AlmField<float>&, const AnalysisMethod&,
                                                             const AnalysisWeights&, const FitMaps<float>&);
extern template std::vector<AnalysisOutcome> analysis<double>(transform::FieldTransform<double>&,
                                                              const transform::MapField<double>&,
                                                              transform::AlmField<double>&, const AnalysisMethod&,
                                                              const AnalysisWeights&, const FitMaps<double>&);
extern template std::vector<AnalysisOutcome> analysis<float>(transform::FieldTransform<float>&,
                                                             const transform::MapField<float>&,
                                                             transform::AlmField<float>&, const AnalysisMethod&,
                                                             const FitMaps<float>&);
extern template std::vector<AnalysisOutcome> analysis<double>(transform::FieldTransform<double>&,
                                                              const transform::MapField<double>&,
                                                              transform::AlmField<double>&, const AnalysisMethod&,
                                                              const FitMaps<double>&);
extern template Index analysis_bytes<float>(const transform::FieldTransformSpec&, int, const AnalysisMethod&,
                                            const FitMapsShape&);
extern template Index analysis_bytes<double>(const transform::FieldTransformSpec&, int, const AnalysisMethod&,
                                             const FitMapsShape&);

}  // namespace armilla::ops
