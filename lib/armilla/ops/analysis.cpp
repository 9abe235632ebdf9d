#include <armilla/ops/analysis.hpp>
#include <armilla/ops/reproducible_sum.hpp>

#include <vector>

namespace armilla::ops {

namespace {

// Mean over the sphere of each scalar component, [map][component]; 0 for the components of a spin.
template <class T>
std::vector<double> monopoles(const comm::Communicator& comm, const transform::MapField<T>& map) {
  const dist::PixelDistribution& pixels = map.distribution();
  const grid::RingGrid& grid = pixels.grid();
  const std::vector<Index> rings = pixels.local_rings(map.rank());
  const std::vector<Index> begins = pixels.local_ring_pixels(map.rank());
  const Index components = map.kind().components();
  double area = 0;
  for (const grid::Ring& ring : grid.rings()) area += ring.weight;
  std::vector<double> means = reproducible_sums(comm, map.maps() * components, grid.npix(), [&](auto&& add) {
    for (Index k = 0; k < map.maps(); ++k)
      for (const transform::FieldPart& part : map.kind().parts()) {
        if (part.spin != 0) continue;
        const auto values = map.component(k, part.first);
        for (std::size_t slot = 0; slot < rings.size(); ++slot) {
          const grid::Ring& ring = grid.rings()[static_cast<std::size_t>(rings[slot])];
          const double weight = ring.weight / static_cast<double>(ring.nphi);
          for (Index j = 0; j < ring.nphi; ++j)
            add(k * components + part.first,
                weight * static_cast<double>(values[static_cast<std::size_t>(begins[slot] + j)]));
        }
      }
  });
  for (double& mean : means) mean /= area;
  return means;
}

// work = map - means - work, where `work` is given, else work = map - means.
template <class T>
void subtract(const transform::MapField<T>& map, const std::vector<double>& means, bool subtract_work,
              transform::MapField<T>& work) {
  const Index components = map.kind().components();
  for (Index k = 0; k < map.maps(); ++k)
    for (Index c = 0; c < components; ++c) {
      const auto mean = static_cast<T>(means[static_cast<std::size_t>(k * components + c)]);
      const auto from = map.component(k, c);
      const auto to = work.component(k, c);
#pragma omp parallel for schedule(static)
      for (std::size_t i = 0; i < from.size(); ++i) to[i] = (from[i] - mean) - (subtract_work ? to[i] : T(0));
    }
}

}  // namespace

template <class T>
void analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map, transform::AlmField<T>& alm,
              const AnalysisMethod& method, bool remove_monopole) {
  if (!remove_monopole && method.jacobi_iterations == 0) {
    transform.quadrature(map, alm);
    return;
  }
  std::vector<double> means(static_cast<std::size_t>(map.maps() * map.kind().components()), 0.0);
  if (remove_monopole) means = monopoles(transform.comm(), map);
  transform::MapField<T> work(map.kind(), map.shared_distribution(), map.rank(), map.maps());
  subtract(map, means, false, work);
  transform.quadrature(work, alm);
  if (method.jacobi_iterations == 0) return;
  transform::AlmField<T> correction(alm.kind(), alm.shared_distribution(), alm.rank(), alm.maps());
  for (Index iteration = 0; iteration < method.jacobi_iterations; ++iteration) {
    transform.synthesis(alm, work);
    subtract(map, means, true, work);
    transform.quadrature(work, correction);
    const auto from = correction.data();
    const auto to = alm.data();
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  }
}

template <class T>
Index analysis_bytes(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method,
                     bool remove_monopole) {
  if (!remove_monopole && method.jacobi_iterations == 0) return 0;
  const Index fields = spec.kind.components() * spec.maps;
  Index bytes = fields * spec.pixels->local_pixels(rank) * static_cast<Index>(sizeof(T));
  if (method.jacobi_iterations > 0)
    bytes += fields * spec.alm->local_size(rank) * static_cast<Index>(sizeof(std::complex<T>));
  return bytes;
}

template void analysis<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                              transform::AlmField<float>&, const AnalysisMethod&, bool);
template void analysis<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                               transform::AlmField<double>&, const AnalysisMethod&, bool);
template Index analysis_bytes<float>(const transform::FieldTransformSpec&, int, const AnalysisMethod&, bool);
template Index analysis_bytes<double>(const transform::FieldTransformSpec&, int, const AnalysisMethod&, bool);

}  // namespace armilla::ops
