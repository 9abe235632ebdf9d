#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/iteration/field_iterations.hpp>
#include <armilla/iteration/ring_modes.hpp>

#include <algorithm>
#include <complex>
#include <memory>

namespace armilla::iteration {

namespace {

constexpr const char* kCorrections = "corrections";

// Collective.
template <class T>
std::unique_ptr<AlmField<T>> make_correction(const FieldTransform<T>& transform) {
  const FieldTransformSpec& spec = transform.spec();
  std::unique_ptr<AlmField<T>> alm;
  comm::phase(transform.comm(),
              [&] { alm = std::make_unique<AlmField<T>>(spec.kind, spec.alm, transform.comm().rank(), spec.maps); });
  return alm;
}

// Collective.
template <class T>
void add(const FieldTransform<T>& transform, const AlmField<T>& correction, AlmField<T>& alm) {
  comm::phase(transform.comm(), [&] { transform::combine(T{1}, correction, T{1}, alm, transform.memory()); });
}

// Number of corrections completed by an earlier run, whose coefficients are loaded into alm; 0 if there are none.
template <class T>
Index done_before(Checkpoint<T>* checkpoint, AlmField<T>& alm) {
  if (checkpoint == nullptr) return 0;
  AlmField<T>* const fields[] = {&alm};
  const auto numbers = checkpoint->take(kCorrections, fields);
  return numbers ? static_cast<Index>(numbers->front()) : 0;
}

// Collective. Call between corrections; `done` is the number of completed ones.
template <class T>
void between(FieldTransform<T>& transform, Checkpoint<T>* checkpoint, Index done, AlmField<T>& alm) {
  if (checkpoint == nullptr) return transform.delta().between_iterations();
  AlmField<T>* const fields[] = {&alm};
  const double numbers[] = {static_cast<double>(done)};
  checkpoint->offer(kCorrections, done, fields, numbers);
}

}  // namespace

template <class T>
void PixelIteration<T>::analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm,
                                Checkpoint<T>* checkpoint) {
  std::unique_ptr<MapField<T>> residual;
  comm::phase(transform_.comm(), [&] {
    if (corrections > 0 || analysis_.needs_scratch)
      residual = std::make_unique<MapField<T>>(map.kind(), map.shared_distribution(), map.rank(), map.maps());
  });
  const auto correction = corrections > 0 ? make_correction(transform_) : nullptr;
  const Index before = done_before(checkpoint, alm);
  if (before == 0) analysis_.apply(map, alm, residual.get());
  for (Index round = before; round < corrections; ++round) {
    between(transform_, checkpoint, round, alm);
    transform_.synthesis(alm, *residual);
    comm::phase(transform_.comm(), [&] { transform::combine(T{1}, map, T{-1}, *residual, transform_.memory()); });
    analysis_.apply(*residual, *correction, residual.get());
    add(transform_, *correction, alm);
  }
}

template <class T>
core::MemoryEstimate PixelIteration<T>::memory(const FieldTransformSpec& spec, int rank, Index corrections,
                                               bool needs_scratch) {
  core::MemoryEstimate memory;
  if (corrections > 0 || needs_scratch) memory.workspace += spec.map_memory<T>(rank).held();
  if (corrections > 0) memory.workspace += spec.alm_memory<T>(rank).held();
  return memory;
}

template <class T>
void RingIteration<T>::analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>* checkpoint) {
  RingModes<T> left(transform_.delta(), weight_);
  const auto correction = make_correction(transform_);
  left.set(map);
  const Index before = done_before(checkpoint, alm);
  if (before == 0) left.adjoint_synthesis(alm);
  for (Index round = before; round < corrections; ++round) {
    between(transform_, checkpoint, round, alm);
    left.subtract(round == before ? alm : *correction);
    left.adjoint_synthesis(*correction);
    add(transform_, *correction, alm);
  }
}

template <class T>
core::MemoryEstimate RingIteration<T>::memory(const FieldTransformSpec& spec, int rank) {
  return {.workspace = (RingModes<T>::memory(spec, rank) + spec.alm_memory<T>(rank)).peak()};
}

template <class T>
void DeviceImmediateIteration<T>::analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>*) {
  DeltaTransform<T>& delta = transform_.delta();
  const auto& memory = delta.memory();
  Index largest = 0;
  for (const auto& spin_field : delta.spin_fields()) largest = std::max(largest, spin_field->exchange.send_size);
  const auto modes = delta.allocate(largest);
  const Index numbers = delta.spec().maps * alm.kind().components() * alm.local_size();
  const auto found = delta.allocate(corrections > 0 ? numbers : 0);
  std::complex<T>* coefficients = alm.overwrite(memory);
  for (std::size_t p = 0; p < delta.spin_fields().size(); ++p) {
    const SpinTables& spin_field = *delta.spin_fields()[p];
    backend::RingModeStage<T>& stage = *delta.stages(p).ring_modes();
    stage.set_weights(weight_);
    delta.stages(p).rings_adjoint(map.read(memory) + spin_field.map_begin(), weight_, modes.data());
    for (Index round = 0; round <= corrections; ++round)
      stage.immediate_round({.first = round == 0,
                             .last = round == corrections,
                             .modes = modes.data(),
                             .delta = delta.workspace(),
                             .found = corrections > 0 ? found.data() + spin_field.alm_begin() : nullptr,
                             .alm = coefficients + spin_field.alm_begin()});
  }
}

template <class T>
core::MemoryEstimate DeviceImmediateIteration<T>::memory(const FieldTransformSpec& spec, Index corrections) {
  Index largest = 0;
  for (const SpinField& spin_field : spec.kind.spin_fields())
    largest = std::max(largest, SpinTables(spec, spin_field, 0).exchange.send_size);
  return {.workspace =
              backend::DeltaBuffer<T>::bytes_of(largest) + (corrections > 0 ? spec.alm_memory<T>(0).held() : 0)};
}

ARMILLA_INSTANTIATE_CLASS(PixelIteration);
ARMILLA_INSTANTIATE_CLASS(RingIteration);
ARMILLA_INSTANTIATE_CLASS(DeviceImmediateIteration);

}  // namespace armilla::iteration
