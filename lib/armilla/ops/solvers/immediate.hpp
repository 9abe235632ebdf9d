#pragma once

#include <armilla/ops/analysis_method.hpp>

namespace armilla::ops {

/// Throws InputError where the immediate iteration cannot be had: with weights that are not those of rings.
void check_immediate(const WeightsSpec& weights, const grid::RingGrid& grid, Index lmax);

/// Collective. alm = A map, then `iterations` times alm += A (map - Y alm), A the quadrature with `weights`, each m
/// after the other in spectra of rings, from which a correction is taken off before the next m is analysed (Tian, Li &
/// Liu 2022). The first analysis as well. Ranks take whole maps. Throws InputError as check_immediate().
template <class T>
void immediate(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
               Index iterations, const AnalysisWeights& weights);

/// Bytes that it allocates on `rank`.
template <class T>
Index immediate_bytes(const transform::FieldTransformSpec& spec, int rank, Index iterations);

extern template void immediate<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                                      transform::AlmField<float>&, Index, const AnalysisWeights&);
extern template void immediate<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                                       transform::AlmField<double>&, Index, const AnalysisWeights&);
extern template Index immediate_bytes<float>(const transform::FieldTransformSpec&, int, Index);
extern template Index immediate_bytes<double>(const transform::FieldTransformSpec&, int, Index);

}  // namespace armilla::ops
