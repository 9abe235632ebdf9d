#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/resample/theta_resampler.hpp>
#include <armilla/transform/delta_transform.hpp>

#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::transform {

Index FieldTransformSpec::grid_pairs() const { return static_cast<Index>(pixels->grid().pairs().size()); }

std::set<Index> FieldTransformSpec::ring_lengths() const {
  std::set<Index> lengths;
  for (const grid::Ring& ring : pixels->grid().rings()) lengths.insert(ring.nphi);
  return lengths;
}

Index FieldTransformSpec::legendre_pairs() const {
  return resampled() ? resample::resampler_size(alm->layout().lmax(), {}).source_pairs : grid_pairs();
}

bool FieldTransformSpec::resampled() const {
  return backend::is_resampled(options, alm->layout().lmax(), grid_pairs());
}

bool FieldTransformSpec::on_device() const { return device_work.has_value() || backend::has_device(backend); }

bool FieldTransformSpec::theta_quadrature() const {
  return pixels->grid().needs_theta_quadrature(alm->layout().lmax());
}

namespace {

void check_weights(const grid::RingGrid& grid, const char* instead) {
  if (!grid.description().is_whole())
    throw core::InputError(fmt::format("grid {} covers only part of the sky, so exact quadrature is impossible: use {}",
                                       grid.description().text(), instead));
  if (!grid.has_weights())
    throw core::InputError(
        fmt::format("grid {} has no quadrature weights: write dataset 'weight' [sr] to its rings file, or use {}",
                    grid.description().text(), instead));
}

// Exact quadrature in theta if the grid supports it, otherwise ring weights.
template <class T>
auto quadrature_rule(const FieldTransformSpec& spec) {
  using Rule = typename DeltaTransform<T>::Rule;
  return spec.theta_quadrature() ? Rule::kQuadrature : Rule::kPlain;
}

// `weight` of one pixel of each own ring, or empty.
template <class T>
void to_map(DeltaTransform<T>& delta, const AlmField<T>& alm, MapField<T>& map, typename DeltaTransform<T>::Rule rule,
            std::span<const double> weight) {
  delta.synthesis(
      alm,
      [&](std::size_t p, const std::complex<T>* rings) {
        delta.stages(p).rings_synthesis(rings, weight,
                                        map.overwrite(delta.memory()) + delta.spin_fields()[p]->map_begin());
      },
      rule);
}

template <class T>
void to_alm(DeltaTransform<T>& delta, const MapField<T>& map, AlmField<T>& alm, typename DeltaTransform<T>::Rule rule,
            std::span<const double> weight) {
  delta.adjoint(
      [&](std::size_t p, std::complex<T>* rings) {
        delta.stages(p).rings_adjoint(map.read(delta.memory()) + delta.spin_fields()[p]->map_begin(), weight, rings);
        return rings;
      },
      alm, rule);
}

}  // namespace

template <class T>
FieldTransform<T>::FieldTransform(const comm::Communicator& comm, FieldTransformSpec spec, Monitor monitor)
    : delta_(std::make_unique<DeltaTransform<T>>(comm, std::move(spec), std::move(monitor))) {}

template <class T>
FieldTransform<T>::~FieldTransform() = default;

template <class T>
const FieldTransformSpec& FieldTransform<T>::spec() const {
  return delta_->spec();
}

template <class T>
const comm::Communicator& FieldTransform<T>::comm() const {
  return delta_->comm();
}

template <class T>
backend::Kind FieldTransform<T>::backend() const {
  return delta_->backend();
}

template <class T>
std::shared_ptr<backend::Memory> FieldTransform<T>::memory() const {
  return delta_->memory();
}

template <class T>
void FieldTransform<T>::set_monitor(Monitor monitor) {
  delta_->set_monitor(std::move(monitor));
}

template <class T>
void FieldTransform<T>::check(const AlmField<T>& alm, const MapField<T>& map) const {
  const FieldTransformSpec& own = spec();
  if (!(alm.kind() == own.kind) || !(map.kind() == own.kind) || alm.maps() != own.maps || map.maps() != own.maps ||
      !(alm.distribution().layout() == own.alm->layout()) || !map.distribution().grid().same_pixels(own.pixels->grid()))
    throw core::InternalError("field transform: a field does not match the plan");
}

template <class T>
void FieldTransform<T>::synthesis(const AlmField<T>& alm, MapField<T>& map, std::span<const double> factor) {
  check(alm, map);
  to_map(*delta_, alm, map, DeltaTransform<T>::Rule::kPlain, factor);
}

template <class T>
void FieldTransform<T>::adjoint_synthesis(const MapField<T>& map, AlmField<T>& alm, std::span<const double> factor) {
  check(alm, map);
  to_alm(*delta_, map, alm, DeltaTransform<T>::Rule::kPlain, factor);
}

// The weights of the first spin field are valid for all, because all have the same rings.
template <class T>
void FieldTransform<T>::quadrature(const MapField<T>& map, AlmField<T>& alm) {
  check(alm, map);
  check_weights(spec().pixels->grid(), "adjoint_synthesis");
  to_alm(*delta_, map, alm, quadrature_rule<T>(spec()), delta_->spin_fields().front()->quadrature);
}

template <class T>
void FieldTransform<T>::quadrature(const MapField<T>& map, AlmField<T>& alm, std::span<const double> weight) {
  check(alm, map);
  if (weight.size() != delta_->spin_fields().front()->rings.size())
    throw core::InternalError("quadrature: one weight per local ring is needed");
  to_alm(*delta_, map, alm, DeltaTransform<T>::Rule::kPlain, weight);
}

template <class T>
void FieldTransform<T>::scaled_quadrature(const MapField<T>& map, std::span<const double> factor, AlmField<T>& alm) {
  check(alm, map);
  check_weights(spec().pixels->grid(), "adjoint_synthesis");
  std::vector<double> weight;
  comm::phase(comm(), [&] {
    weight = delta_->spin_fields().front()->quadrature;
    for (std::size_t i = 0; i < factor.size(); ++i) weight[i] *= factor[i];
  });
  to_alm(*delta_, map, alm, quadrature_rule<T>(spec()), weight);
}

template <class T>
void FieldTransform<T>::adjoint_quadrature(const AlmField<T>& alm, MapField<T>& map) {
  check(alm, map);
  check_weights(spec().pixels->grid(), "synthesis");
  to_map(*delta_, alm, map, quadrature_rule<T>(spec()), delta_->spin_fields().front()->quadrature);
}

template <class T>
core::MemoryEstimate FieldTransform<T>::memory(const FieldTransformSpec& spec, int rank) {
  return DeltaTransform<T>::memory(spec, rank);
}

template <class T>
backend::DeviceEstimate FieldTransform<T>::device_memory(const FieldTransformSpec& spec, int rank) {
  return DeltaTransform<T>::device_memory(spec, rank);
}

ARMILLA_INSTANTIATE_CLASS(FieldTransform);

}  // namespace armilla::transform
