#include <armilla/comm/phase.hpp>
#include <armilla/ops/analysis.hpp>

#include <algorithm>
#include <memory>

namespace armilla::ops {

namespace {

Index iterations_of(const AnalysisMethod& method) {
  const auto* jacobi = std::get_if<Jacobi>(&method.solver);
  return jacobi == nullptr ? 0 : jacobi->iterations;
}

}  // namespace

Index AnalysisMethod::transforms() const { return 1 + 2 * iterations_of(*this); }

template <class T>
void analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
              const AnalysisMethod& method, const AnalysisWeights& weights) {
  const Index iterations = iterations_of(method);
  std::unique_ptr<transform::MapField<T>> residual;
  std::unique_ptr<transform::AlmField<T>> correction;
  comm::phase(transform.comm(), [&] {
    if (iterations > 0 || AnalysisWeights::needs_scratch(method.weights))
      residual =
          std::make_unique<transform::MapField<T>>(map.kind(), map.shared_distribution(), map.rank(), map.maps());
    if (iterations > 0)
      correction =
          std::make_unique<transform::AlmField<T>>(alm.kind(), alm.shared_distribution(), alm.rank(), alm.maps());
  });
  weights.quadrature(transform, map, alm, residual.get());
  for (Index iteration = 0; iteration < iterations; ++iteration) {
    transform.synthesis(alm, *residual);
    comm::phase(transform.comm(), [&] { transform::combine(T{1}, map, T{-1}, *residual, transform.memory()); });
    weights.quadrature(transform, *residual, *correction, residual.get());
    comm::phase(transform.comm(), [&] { transform::combine(T{1}, *correction, T{1}, alm, transform.memory()); });
  }
}

template <class T>
void analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
              const AnalysisMethod& method) {
  const AnalysisWeights weights(transform.comm(), map.shared_distribution(), method.weights);
  analysis(transform, map, alm, method, weights);
}

template <class T>
Index analysis_bytes(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method) {
  const Index fields = spec.kind.components() * spec.maps;
  Index bytes = AnalysisWeights::bytes(*spec.pixels, method.weights, rank);
  if (iterations_of(method) > 0 || AnalysisWeights::needs_scratch(method.weights))
    bytes += fields * spec.pixels->local_pixels(rank) * static_cast<Index>(sizeof(T));
  if (iterations_of(method) > 0)
    bytes += fields * spec.alm->local_size(rank) * static_cast<Index>(sizeof(std::complex<T>));
  return std::max(bytes, AnalysisWeights::making_bytes(*spec.pixels, method.weights, rank));
}

template void analysis<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                              transform::AlmField<float>&, const AnalysisMethod&, const AnalysisWeights&);
template void analysis<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                               transform::AlmField<double>&, const AnalysisMethod&, const AnalysisWeights&);
template void analysis<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                              transform::AlmField<float>&, const AnalysisMethod&);
template void analysis<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                               transform::AlmField<double>&, const AnalysisMethod&);
template Index analysis_bytes<float>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);
template Index analysis_bytes<double>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);

}  // namespace armilla::ops
