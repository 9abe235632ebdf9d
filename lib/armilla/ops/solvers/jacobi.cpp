#include <armilla/comm/phase.hpp>
#include <armilla/ops/solvers/jacobi.hpp>

#include <memory>

namespace armilla::ops {

bool iterates_in_spectra(const transform::FieldTransformSpec& spec, Index iterations, const WeightsSpec& weights) {
  const grid::RingGrid& grid = spec.pixels->grid();
  return iterations > 0 && grid.has_weights() &&
         AnalysisWeights::are_of_rings(weights, grid, spec.alm->layout().lmax());
}

template <class T>
void jacobi(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
            Index iterations, const AnalysisWeights& weights) {
  const transform::FieldTransformSpec& spec = transform.spec();
  if (iterates_in_spectra(spec, iterations, weights.spec())) {
    transform.iterate(map, weights.of_rings(spec.pixels->grid()), transform::RingScheme::kJacobi, iterations, alm);
    return;
  }
  std::unique_ptr<transform::MapField<T>> residual;
  std::unique_ptr<transform::AlmField<T>> correction;
  comm::phase(transform.comm(), [&] {
    if (iterations > 0 || weights.needs_scratch())
      residual =
          std::make_unique<transform::MapField<T>>(map.kind(), map.shared_distribution(), map.rank(), map.maps());
    if (iterations > 0)
      correction =
          std::make_unique<transform::AlmField<T>>(alm.kind(), alm.shared_distribution(), alm.rank(), alm.maps());
  });
  weights.quadrature(transform, map, alm, residual.get());
  for (Index iteration = 0; iteration < iterations; ++iteration) {
    transform.between_iterations();
    transform.synthesis(alm, *residual);
    comm::phase(transform.comm(), [&] { transform::combine(T{1}, map, T{-1}, *residual, transform.memory()); });
    weights.quadrature(transform, *residual, *correction, residual.get());
    comm::phase(transform.comm(), [&] { transform::combine(T{1}, *correction, T{1}, alm, transform.memory()); });
  }
}

template <class T>
Index jacobi_bytes(const transform::FieldTransformSpec& spec, int rank, Index iterations, const WeightsSpec& weights) {
  if (iterates_in_spectra(spec, iterations, weights))
    return transform::FieldTransform<T>::iterate_bytes(spec, rank, transform::RingScheme::kJacobi, iterations);
  const Index fields = spec.kind.components() * spec.maps;
  Index bytes = 0;
  if (iterations > 0 || AnalysisWeights::needs_scratch(weights))
    bytes += fields * spec.pixels->local_pixels(rank) * static_cast<Index>(sizeof(T));
  if (iterations > 0) bytes += fields * spec.alm->local_size(rank) * static_cast<Index>(sizeof(std::complex<T>));
  return bytes;
}

template void jacobi<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                            transform::AlmField<float>&, Index, const AnalysisWeights&);
template void jacobi<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                             transform::AlmField<double>&, Index, const AnalysisWeights&);
template Index jacobi_bytes<float>(const transform::FieldTransformSpec&, int, Index, const WeightsSpec&);
template Index jacobi_bytes<double>(const transform::FieldTransformSpec&, int, Index, const WeightsSpec&);

}  // namespace armilla::ops
