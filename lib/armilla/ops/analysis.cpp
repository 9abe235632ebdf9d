#include <armilla/ops/analysis.hpp>

namespace armilla::ops {

template <class T>
void analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
              const AnalysisMethod& method) {
  transform.quadrature(map, alm);
  if (method.jacobi_iterations == 0) return;
  transform::MapField<T> residual(map.kind(), map.shared_distribution(), map.rank(), map.maps());
  transform::AlmField<T> correction(alm.kind(), alm.shared_distribution(), alm.rank(), alm.maps());
  for (Index iteration = 0; iteration < method.jacobi_iterations; ++iteration) {
    transform.synthesis(alm, residual);
    const auto given = map.data();
    const auto left = residual.data();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = given[i] - left[i];
    transform.quadrature(residual, correction);
    const auto from = correction.data();
    const auto to = alm.data();
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  }
}

template <class T>
Index analysis_bytes(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method) {
  if (method.jacobi_iterations == 0) return 0;
  const Index fields = spec.kind.components() * spec.maps;
  return fields * (spec.pixels->local_pixels(rank) * static_cast<Index>(sizeof(T)) +
                   spec.alm->local_size(rank) * static_cast<Index>(sizeof(std::complex<T>)));
}

template void analysis<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                              transform::AlmField<float>&, const AnalysisMethod&);
template void analysis<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                               transform::AlmField<double>&, const AnalysisMethod&);
template Index analysis_bytes<float>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);
template Index analysis_bytes<double>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);

}  // namespace armilla::ops
