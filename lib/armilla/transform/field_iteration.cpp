#include <armilla/transform/device_iteration.hpp>
#include <armilla/transform/field_transform_impl.hpp>
#include <armilla/transform/ring_residual.hpp>

#include <algorithm>
#include <set>

#include <omp.h>

namespace armilla::transform {

namespace {

bool goes_by_normal_matrix(const FieldTransformSpec& spec, RingScheme scheme, Index iterations) {
  return scheme == RingScheme::kJacobi && corrects_by_normal_matrix(spec, iterations);
}

// A map for each thread keeps all of them busy.
bool takes_whole_maps(const FieldTransformSpec& spec, RingScheme scheme, Index iterations) {
  return scheme == RingScheme::kImmediate || goes_by_normal_matrix(spec, scheme, iterations) ||
         (spec.alm->ranks() == 1 && spec.maps >= omp_get_max_threads());
}

// to += from, coefficients of a part of all maps.
template <class T>
void add(const PartTables& part, const std::complex<T>* from, std::complex<T>* to) {
  const Index count = part.part.components * part.alm_size;
#pragma omp parallel for schedule(static) collapse(2)
  for (Index map = 0; map < part.maps; ++map)
    for (Index i = 0; i < count; ++i) to[map * part.alm_stride + i] += from[map * part.alm_stride + i];
}

}  // namespace

template <class T>
void FieldTransform<T>::Impl::iterate_together(const MapField<T>& map, std::span<const double> all_weights,
                                               Index iterations, AlmField<T>& alm) {
  const std::vector<double> weight = own_weights(*spec.pixels, comm.rank(), all_weights);
  std::unique_ptr<AlmField<T>> correction;
  comm::phase(comm, [&] { correction = std::make_unique<AlmField<T>>(spec.kind, spec.alm, comm.rank(), spec.maps); });
  const auto plans = std::make_shared<fft::PlanCache<T>>();
  for_each_group([&](std::size_t begin, std::size_t end) {
    std::vector<std::unique_ptr<RingResidual<T>>> left;
    std::complex<T>* delta = alone() ? m_side.data() : ring_side.data();
    const auto in_phase = [&](const char* name, const auto& work) {
      comm::phase(comm, [&] {
        timed(name, [&] {
          for (std::size_t p = begin; p < end; ++p) work(p, left[p - begin]);
        });
      });
    };
    comm::phase(comm, [&] { left.resize(end - begin); });
    in_phase("rings", [&](std::size_t p, auto& residual) {
      residual = std::make_unique<RingResidual<T>>(*parts[p], spec.alm->layout().mmax(), plans);
      residual->set(map.data().data() + parts[p]->map_begin(), weight);
    });
    for (Index round = 0; round <= iterations; ++round) {
      AlmField<T>& found = round == 0 ? alm : *correction;
      in_phase("rings", [&](std::size_t, auto& residual) { residual->gather(delta); });
      if (!alone()) exchange_to_m();
      in_phase("legendre", [&](std::size_t p, auto&) {
        std::complex<T>* to = found.data().data() + parts[p]->alm_begin();
        backends[p]->legendre_adjoint(m_side.data(), to, progress_of(p));
        if (round > 0) add(*parts[p], to, alm.data().data() + parts[p]->alm_begin());
      });
      if (round == iterations) break;
      if (monitor.between_iterations) monitor.between_iterations();
      in_phase("legendre", [&](std::size_t p, auto&) {
        backends[p]->legendre_synthesis(found.data().data() + parts[p]->alm_begin(), m_side.data(), progress_of(p));
      });
      if (!alone()) exchange_to_rings();
      in_phase("rings", [&](std::size_t, auto& residual) { residual->take_off(delta); });
    }
  });
}

template <class T>
void FieldTransform<T>::Impl::iterate_whole(const MapField<T>& map, std::span<const double> weight, RingScheme scheme,
                                            Index iterations, AlmField<T>& alm) {
  const bool by_matrix = goes_by_normal_matrix(spec, scheme, iterations);
  comm::phase(comm, [&] {
    if (!alone()) whole = std::make_unique<WholeMaps<T>>(comm, spec);
    if (!by_maps && !by_matrix) by_maps = std::make_unique<RingIteration<T>>(alone() ? spec : whole->spec());
  });
  if (!alone()) timed("exchange", [&] { whole->take(map); });
  comm::phase(comm, [&] {
    timed("legendre", [&] {
      const FieldTransformSpec& own = alone() ? spec : whole->spec();
      const MapField<T>& from = alone() ? map : whole->map();
      AlmField<T>& found = alone() ? alm : whole->alm();
      if (!by_matrix) return by_maps->analyse(from, own_weights(*own.pixels, 0, weight), scheme, iterations, found);
      if (own.maps == 0) return;
      if (!by_normal_matrix || !by_normal_matrix->is_for(weight)) {
        by_normal_matrix.reset();
        by_normal_matrix = std::make_unique<NormalAnalysis<T>>(own, weight);
      }
      by_normal_matrix->analyse(from, iterations, found);
    });
  });
  if (!alone()) timed("exchange", [&] { whole->give(alm); });
  whole.reset();
  if (spec.maps == 1) by_maps.reset();
}

template <class T>
void FieldTransform<T>::between_iterations() {
  if (impl_->monitor.between_iterations) impl_->monitor.between_iterations();
}

template <class T>
void FieldTransform<T>::iterate(const MapField<T>& map, std::span<const double> weight, RingScheme scheme,
                                Index iterations, AlmField<T>& alm) {
  impl_->check(alm, map);
  if (impl_->device_work && scheme == RingScheme::kImmediate)
    impl_->immediate_on_device(map, weight, iterations, alm);
  else if (impl_->device_work)
    impl_->jacobi_on_device(map, weight, iterations, alm);
  else if (takes_whole_maps(impl_->spec, scheme, iterations))
    impl_->iterate_whole(map, weight, scheme, iterations, alm);
  else
    impl_->iterate_together(map, weight, iterations, alm);
}

template <class T>
void FieldTransform<T>::normal(const AlmField<T>& alm, std::span<const double> weight, AlmField<T>& result) {
  Impl& own = *impl_;
  const auto& memory = own.context->memory();
  comm::phase(own.comm, [&] {
    while (!own.device_work && own.ring_normals.size() < own.parts.size())
      own.ring_normals.push_back(
          std::make_unique<RingNormal<T>>(*own.parts[own.ring_normals.size()], own.spec.alm->layout().mmax()));
  });
  own.for_each_group([&](std::size_t begin, std::size_t end) {
    own.in_phase("legendre", begin, end, [&](std::size_t p) {
      own.backends[p]->legendre_synthesis(alm.read(memory) + own.parts[p]->alm_begin(), own.m_side.data(),
                                          own.progress_of(p));
    });
    if (!own.alone()) own.exchange_to_rings();
    std::complex<T>* delta = own.alone() ? own.m_side.data() : own.ring_side.data();
    own.in_phase("rings", begin, end, [&](std::size_t p) {
      if (!own.device_work) return own.ring_normals[p]->apply(weight, delta);
      backend::SpectraStage<T>& spectra = *own.backends[p]->spectra();
      spectra.set_weights(weight);
      spectra.meet(delta);
    });
    if (!own.alone()) own.exchange_to_m();
    own.in_phase("legendre", begin, end, [&](std::size_t p) {
      own.backends[p]->legendre_adjoint(own.m_side.data(), result.overwrite(memory) + own.parts[p]->alm_begin(),
                                        own.progress_of(p));
    });
  });
}

template <class T>
Index FieldTransform<T>::normal_bytes(const FieldTransformSpec& spec, int rank) {
  if (spec.on_device()) return 0;
  Index bytes = 0;
  for (const FieldPart& part : spec.kind.parts())
    bytes += RingNormal<T>::bytes(PartTables(spec, part, rank), spec.alm->layout().mmax(), part.components * spec.maps);
  return bytes;
}

template <class T>
Index FieldTransform<T>::kept_iterate_bytes(const FieldTransformSpec& spec, int rank, RingScheme scheme,
                                            Index iterations) {
  if (spec.on_device()) return kept_device_iterate_bytes<T>(spec, rank, scheme);
  if (!takes_whole_maps(spec, scheme, iterations)) return 0;
  const FieldTransformSpec own = spec.alm->ranks() == 1 ? spec : WholeMaps<T>::whole_spec(spec, rank);
  const bool by_matrix = goes_by_normal_matrix(spec, scheme, iterations);
  if (by_matrix) return NormalAnalysis<T>::bytes(own);
  return spec.maps == 1 ? 0 : RingIteration<T>::workspace_bytes(own, iterations);
}

template <class T>
Index FieldTransform<T>::iterate_bytes(const FieldTransformSpec& spec, int rank, RingScheme scheme, Index iterations) {
  if (spec.on_device()) return device_iterate_bytes<T>(spec, rank, scheme, iterations);
  if (takes_whole_maps(spec, scheme, iterations)) {
    const FieldTransformSpec own = spec.alm->ranks() == 1 ? spec : WholeMaps<T>::whole_spec(spec, rank);
    const bool by_matrix = goes_by_normal_matrix(spec, scheme, iterations);
    return (spec.alm->ranks() == 1 ? 0 : WholeMaps<T>::bytes(spec, rank)) +
           (by_matrix ? NormalAnalysis<T>::bytes(own) : RingIteration<T>::workspace_bytes(own, iterations));
  }
  // One rank alone goes through part after part.
  Index bytes = 0;
  std::set<Index> lengths;
  for (const FieldPart& part : spec.kind.parts()) {
    const PartTables tables(spec, part, rank);
    for (const fft::RingShape& ring : tables.rings) lengths.insert(ring.nphi);
    const Index own = RingResidual<T>::bytes(tables, spec.alm->layout().mmax());
    bytes = tables.ranks == 1 ? std::max(bytes, own) : bytes + own;
  }
  const Index correction = spec.kind.components() * spec.maps * spec.alm->local_size(rank);
  return bytes + fft::PlanCache<T>::bytes(lengths) + correction * static_cast<Index>(sizeof(std::complex<T>));
}

template void FieldTransform<float>::between_iterations();
template void FieldTransform<double>::between_iterations();
template void FieldTransform<float>::normal(const AlmField<float>&, std::span<const double>, AlmField<float>&);
template void FieldTransform<double>::normal(const AlmField<double>&, std::span<const double>, AlmField<double>&);
template Index FieldTransform<float>::normal_bytes(const FieldTransformSpec&, int);
template Index FieldTransform<double>::normal_bytes(const FieldTransformSpec&, int);
template void FieldTransform<float>::iterate(const MapField<float>&, std::span<const double>, RingScheme, Index,
                                             AlmField<float>&);
template void FieldTransform<double>::iterate(const MapField<double>&, std::span<const double>, RingScheme, Index,
                                              AlmField<double>&);
template Index FieldTransform<float>::iterate_bytes(const FieldTransformSpec&, int, RingScheme, Index);
template Index FieldTransform<double>::iterate_bytes(const FieldTransformSpec&, int, RingScheme, Index);
template Index FieldTransform<float>::kept_iterate_bytes(const FieldTransformSpec&, int, RingScheme, Index);
template Index FieldTransform<double>::kept_iterate_bytes(const FieldTransformSpec&, int, RingScheme, Index);

}  // namespace armilla::transform
