#pragma once

#include <armilla/ops/analysis_method.hpp>

namespace armilla::ops {

/// Whether jacobi() goes by spectra of rings: with weights of rings, and not on a device in parts.
bool iterates_in_spectra(const transform::FieldTransformSpec& spec, Index iterations, const WeightsSpec& weights);

/// Collective. alm = A map, then `iterations` times alm += A (map - Y alm), A the quadrature with `weights`, between
/// coefficients and spectra of rings (FieldTransform::iterate) where iterates_in_spectra(), else through pixels.
template <class T>
void jacobi(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
            Index iterations, const AnalysisWeights& weights);

/// Bytes that it allocates on `rank`: spectra of what is left of the map, or one more map, and one more alm where it
/// iterates, one more map for pixel weights.
template <class T>
Index jacobi_bytes(const transform::FieldTransformSpec& spec, int rank, Index iterations, const WeightsSpec& weights);

extern template void jacobi<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                                   transform::AlmField<float>&, Index, const AnalysisWeights&);
extern template void jacobi<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                                    transform::AlmField<double>&, Index, const AnalysisWeights&);
extern template Index jacobi_bytes<float>(const transform::FieldTransformSpec&, int, Index, const WeightsSpec&);
extern template Index jacobi_bytes<double>(const transform::FieldTransformSpec&, int, Index, const WeightsSpec&);

}  // namespace armilla::ops
