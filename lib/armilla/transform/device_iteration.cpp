#include <armilla/transform/device_demand.hpp>
#include <armilla/transform/device_iteration.hpp>
#include <armilla/transform/field_transform_impl.hpp>

#include <algorithm>

namespace armilla::transform {

namespace {

// Numbers of what a rank has of a batch of coefficients.
Index alm_numbers(const FieldTransformSpec& spec, int rank) {
  return spec.kind.components() * spec.maps * spec.alm->local_size(rank);
}

bool takes_whole_maps(const FieldTransformSpec& spec, RingScheme scheme) {
  return scheme == RingScheme::kImmediate && spec.alm->ranks() > 1;
}

}  // namespace

template <class T>
void FieldTransform<T>::Impl::jacobi_on_device(const MapField<T>& map, std::span<const double> all_weights,
                                               Index iterations, AlmField<T>& alm) {
  const auto& memory = context->memory();
  const std::vector<double> weight = own_weights(*spec.pixels, comm.rank(), all_weights);
  // Where Delta of the rings stands; m that are aliases have their sums there as well.
  Buffer left, correction;
  comm::phase(comm, [&] {
    left = allocate(alone() ? m_side.size() : ring_side.size());
    if (iterations > 0) correction = allocate(alm_numbers(spec, comm.rank()));
  });
  for_each_group([&](std::size_t begin, std::size_t end) {
    const auto in_phase = [&](const char* name, const auto& work) {
      comm::phase(comm, [&] {
        timed(name, [&] {
          for (std::size_t p = begin; p < end; ++p) work(p, *backends[p]);
        });
      });
    };
    in_phase("rings", [&](std::size_t p, backend::Backend<T>& on) {
      on.spectra()->set_weights(weight);
      on.rings_adjoint(map.read(memory) + parts[p]->map_begin(), weight, left.data());
    });
    for (Index round = 0; round <= iterations; ++round) {
      if (!alone()) exchange_to_m(left);
      in_phase("legendre", [&](std::size_t p, backend::Backend<T>& on) {
        const Index first = parts[p]->alm_begin();
        std::complex<T>* to = round == 0 ? alm.overwrite(memory) : correction.data();
        on.legendre_adjoint(alone() ? left.data() : m_side.data(), to + first, progress_of(p));
        if (round > 0) on.spectra()->add(to + first, alm.update(memory) + first);
      });
      if (round == iterations) break;
      if (monitor.between_iterations) monitor.between_iterations();
      in_phase("legendre", [&](std::size_t p, backend::Backend<T>& on) {
        const std::complex<T>* from = round == 0 ? alm.read(memory) : correction.data();
        on.legendre_synthesis(from + parts[p]->alm_begin(), m_side.data(), progress_of(p));
      });
      if (!alone()) exchange_to_rings();
      in_phase("rings", [&](std::size_t, backend::Backend<T>& on) {
        on.spectra()->take_off(alone() ? m_side.data() : ring_side.data(), left.data());
      });
    }
  });
}

template <class T>
void FieldTransform<T>::Impl::immediate_rounds(const Stages& on, const FieldTransformSpec& own, const T* pixels,
                                               std::span<const double> weight, Index iterations, std::complex<T>* alm) {
  const Buffer left = allocate(on.m_side.size());
  const Buffer correction = allocate(iterations > 0 ? alm_numbers(own, 0) : 0);
  for (std::size_t p = 0; p < on.parts.size(); ++p) {
    const PartTables& part = *on.parts[p];
    backend::SpectraStage<T>& spectra = *on.backends[p]->spectra();
    timed("rings", [&] {
      spectra.set_weights(weight);
      on.backends[p]->rings_adjoint(pixels + part.map_begin(), weight, left.data());
    });
    const Index first = part.alm_begin();
    timed("legendre", [&] {
      for (Index round = 0; round <= iterations; ++round)
        spectra.immediate_round({.first = round == 0,
                                 .last = round == iterations,
                                 .spectra = left.data(),
                                 .delta = on.m_side.data(),
                                 .found = iterations > 0 ? correction.data() + first : nullptr,
                                 .alm = alm + first});
    });
  }
}

template <class T>
auto FieldTransform<T>::Impl::make_whole_stages(const FieldTransformSpec& own) -> std::unique_ptr<Stages> {
  auto made = std::make_unique<Stages>();
  Index delta = 0;
  for (const FieldPart& part : own.kind.parts()) {
    made->parts.push_back(std::make_unique<PartTables>(own, part, 0));
    delta = std::max(delta, made->parts.back()->exchange.send_size);
  }
  made->m_side = allocate(delta);
  context->set_work(kWholeMapsWork);
  made->backends = make_backends(own, made->parts);
  context->set_work(*device_work);
  return made;
}

template <class T>
void FieldTransform<T>::Impl::immediate_on_device(const MapField<T>& map, std::span<const double> weight,
                                                  Index iterations, AlmField<T>& alm) {
  const auto& memory = context->memory();
  const auto rounds = [&](const Stages& on, const FieldTransformSpec& own, const MapField<T>& of, AlmField<T>& found) {
    immediate_rounds(on, own, of.read(memory), own_weights(*own.pixels, 0, weight), iterations,
                     found.overwrite(memory));
  };
  if (alone()) {
    comm::phase(comm, [&] { rounds(stages, spec, map, alm); });
    return;
  }
  comm::phase(comm, [&] { whole = std::make_unique<WholeMaps<T>>(comm, spec); });
  timed("exchange", [&] { whole->take(map); });
  comm::phase(comm, [&] {
    if (whole->spec().maps == 0) return;
    if (!whole_stages) whole_stages = make_whole_stages(whole->spec());
    rounds(*whole_stages, whole->spec(), whole->map(), whole->alm());
  });
  alm.overwrite(backend::host_memory());
  timed("exchange", [&] { whole->give(alm); });
  whole.reset();
  if (spec.maps == 1) whole_stages.reset();
}

namespace {

// Coefficients that an iteration finds, and spectra of what is left.
template <class T>
Index iteration_bytes(const FieldTransformSpec& spec, int rank, Index iterations) {
  Index largest = 0;
  Index all = 0;
  for (const FieldPart& part : spec.kind.parts()) {
    const PartTables tables(spec, part, rank);
    largest = std::max(largest, tables.exchange.send_size);
    all += tables.exchange.receive_size;
  }
  const Index left = spec.alm->ranks() == 1 ? largest : all;
  return (left + (iterations > 0 ? alm_numbers(spec, rank) : 0)) * static_cast<Index>(sizeof(std::complex<T>));
}

// Of make_whole_stages().
template <class T>
Index whole_stage_bytes(const FieldTransformSpec& own) {
  return own.maps == 0 ? 0 : device_demand<T>(own, 0).total(kWholeMapsWork);
}

}  // namespace

template <class T>
Index device_iterate_bytes(const FieldTransformSpec& spec, int rank, RingScheme scheme, Index iterations) {
  if (!takes_whole_maps(spec, scheme)) return iteration_bytes<T>(spec, rank, iterations);
  const FieldTransformSpec own = WholeMaps<T>::whole_spec(spec, rank);
  return WholeMaps<T>::bytes(spec, rank) + (own.maps == 0 ? 0 : iteration_bytes<T>(own, 0, iterations)) +
         whole_stage_bytes<T>(own);
}

template <class T>
Index kept_device_iterate_bytes(const FieldTransformSpec& spec, int rank, RingScheme scheme) {
  if (!takes_whole_maps(spec, scheme) || spec.maps == 1) return 0;
  return whole_stage_bytes<T>(WholeMaps<T>::whole_spec(spec, rank));
}

template Index device_iterate_bytes<float>(const FieldTransformSpec&, int, RingScheme, Index);
template Index device_iterate_bytes<double>(const FieldTransformSpec&, int, RingScheme, Index);
template Index kept_device_iterate_bytes<float>(const FieldTransformSpec&, int, RingScheme);
template Index kept_device_iterate_bytes<double>(const FieldTransformSpec&, int, RingScheme);
template void FieldTransform<float>::Impl::jacobi_on_device(const MapField<float>&, std::span<const double>, Index,
                                                            AlmField<float>&);
template void FieldTransform<double>::Impl::jacobi_on_device(const MapField<double>&, std::span<const double>, Index,
                                                             AlmField<double>&);
template void FieldTransform<float>::Impl::immediate_on_device(const MapField<float>&, std::span<const double>, Index,
                                                               AlmField<float>&);
template void FieldTransform<double>::Impl::immediate_on_device(const MapField<double>&, std::span<const double>, Index,
                                                                AlmField<double>&);

}  // namespace armilla::transform
