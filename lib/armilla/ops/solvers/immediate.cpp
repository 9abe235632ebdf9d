#include <armilla/core/error.hpp>
#include <armilla/ops/solvers/immediate.hpp>

#include <fmt/format.h>

namespace armilla::ops {

void check_immediate(const WeightsSpec& weights, const grid::RingGrid& grid, Index lmax) {
  if (AnalysisWeights::are_of_rings(weights, grid, lmax)) return;
  throw core::InputError(
      weights.kind == WeightKind::kPixel
          ? "pixel weights do not go with the immediate iteration, which works on whole rings: take ring weights"
          : fmt::format(
                "weights of rings alone are exact on {} up to lmax = {} only, and quadrature is beyond: take it",
                grid.description().text(), grid.analysis_limits().weights_lmax));
}

template <class T>
void immediate(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
               Index iterations, const AnalysisWeights& weights) {
  const transform::FieldTransformSpec& spec = transform.spec();
  check_immediate(weights.spec(), spec.pixels->grid(), spec.alm->layout().lmax());
  transform.iterate(map, weights.of_rings(spec.pixels->grid()), transform::RingScheme::kImmediate, iterations, alm);
}

template <class T>
Index immediate_bytes(const transform::FieldTransformSpec& spec, int rank, Index iterations) {
  return transform::FieldTransform<T>::iterate_bytes(spec, rank, transform::RingScheme::kImmediate, iterations);
}

template void immediate<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                               transform::AlmField<float>&, Index, const AnalysisWeights&);
template void immediate<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                                transform::AlmField<double>&, Index, const AnalysisWeights&);
template Index immediate_bytes<float>(const transform::FieldTransformSpec&, int, Index);
template Index immediate_bytes<double>(const transform::FieldTransformSpec&, int, Index);

}  // namespace armilla::ops
