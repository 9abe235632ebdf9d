#include <armilla/api/access.hpp>
#include <armilla/api/memory_check.hpp>
#include <armilla/api/transform_state.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/ops/gradient.hpp>
#include <armilla/ops/vector_fields.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace armilla {

using api::Access;
using core::at;

namespace {

ops::VectorForm form_of(VectorOptions::Axes axes) {
  return axes == VectorOptions::Axes::kEastNorth ? ops::VectorForm::kWind : ops::VectorForm::kThetaPhi;
}

ops::TangentAxes tangent_axes(VectorOptions::Axes axes) {
  return axes == VectorOptions::Axes::kEastNorth ? ops::TangentAxes::kEastNorth : ops::TangentAxes::kThetaPhi;
}

/// The factor of the vectors of each local ring, or its inverse; empty for 1.
template <class T>
std::vector<double> ring_factors(const Map<T>& map, VectorOptions::Factor factor, bool inverse) {
  std::vector<double> factors;
  if (factor == VectorOptions::Factor::kNone) return factors;
  const bool is_cosine = (factor == VectorOptions::Factor::kCosLatitude) != inverse;
  for (const LocalRing& ring : map.rings())
    factors.push_back(is_cosine ? ring.ring.sin_theta : 1 / ring.ring.sin_theta);
  return factors;
}

}  // namespace

template <class T>
Alm<T> Transform<T>::make_scalars(const std::vector<const char*>& names) const {
  std::vector<FieldKind> scalars;
  const auto pairs = fields_.spin_fields();
  for (const transform::SpinField& pair : pairs)
    for (const char* name : names)
      scalars.push_back(FieldKind::scalar(
          pairs.size() == 1 ? std::string(name) : fmt::format("{}_{}", name, fields_.map_names()[at(pair.first)])));
  FieldKind kind = FieldKind::joined(scalars);
  api::check_own_memory(transform::AlmField<T>::memory(kind, *alm_, comm_->rank(), maps_).peak(), "memory of scalars");
  return api::allocated(
      [&] { return Access::make<Alm<T>>(comm_, std::move(kind), alm_, maps_, state_->transform.memory()); });
}

template <class T>
Alm<T> Transform<T>::make_vorticity_divergence() const {
  return make_scalars({"VORTICITY", "DIVERGENCE"});
}

template <class T>
Alm<T> Transform<T>::make_potential() const {
  return make_scalars({"POTENTIAL"});
}

template <class T>
void Transform<T>::check_vectors(const Alm<T>& scalars, Index for_each_pair, const Map<T>& map,
                                 const VectorOptions& options, bool writes_map) const {
  api::check_alike(*comm_, "a call for vector fields",
                   fmt::format("radius = {}, axes {}, factor {}", options.radius, static_cast<int>(options.axes),
                               static_cast<int>(options.factor)));
  comm::phase(*comm_, [&] {
    if (std::ranges::any_of(fields_.spins(), [](Index spin) { return spin != 1; }))
      throw InputError(
          "the transform has fields that are no tangent vectors: make one of FieldKind::wind() or other "
          "pairs of spin 1");
    if (!(options.radius > 0) || !std::isfinite(options.radius))
      throw InputError(fmt::format("radius = {}: use a positive number", options.radius));
    check_one(map);
    const Index pairs = static_cast<Index>(fields_.spin_fields().size());
    if (scalars.fields().max_spin() != 0 || scalars.fields().components() != for_each_pair * pairs)
      throw InputError(
          fmt::format("the alm must have {} scalars for each of {} vectors: create them by "
                      "make_vorticity_divergence() or make_potential()",
                      for_each_pair, pairs));
    api::check_alm(*comm_, scalars.fields(), maps_, layout(), scalars);
    writes_map ? api::check_writable(map) : api::check_writable(scalars);
    for (const Ring& ring : grid().rings())
      if (options.factor != VectorOptions::Factor::kNone && ring.sin_theta < 1e-12)
        throw InputError(
            fmt::format("{} has a ring at a pole, where cos(latitude) is 0: use vectors without this factor",
                        grid().description().text()));
    if (!state_->vectors) state_->vectors.emplace(fields_, alm_, comm_->rank(), maps_);
  });
}

template <class T>
void Transform<T>::vector_fields(const Alm<T>& vorticity_divergence, Map<T>& map, const VectorOptions& options) {
  const core::ThreadScope threads(state_->threads);
  check_vectors(vorticity_divergence, 2, map, options, true);
  std::vector<double> factors;
  comm::phase(*comm_, [&] {
    ops::convert_vectors(Access::field(vorticity_divergence), ops::VectorForm::kVorticityDivergence, *state_->vectors,
                         form_of(options.axes), options.radius);
    factors = ring_factors(map, options.factor, false);
  });
  state_->transform.synthesis(*state_->vectors, Access::field(map), factors);
}

template <class T>
void Transform<T>::vorticity_divergence(const Map<T>& map, Alm<T>& vorticity_divergence, const VectorOptions& options) {
  const core::ThreadScope threads(state_->threads);
  check_vectors(vorticity_divergence, 2, map, options, false);
  api::check_quadrature(grid(), layout(), fields_.max_spin());
  std::vector<double> factors;
  comm::phase(*comm_, [&] { factors = ring_factors(map, options.factor, true); });
  state_->transform.scaled_quadrature(Access::field(map), factors, *state_->vectors);
  comm::phase(*comm_, [&] {
    ops::convert_vectors(*state_->vectors, form_of(options.axes), Access::field(vorticity_divergence),
                         ops::VectorForm::kVorticityDivergence, options.radius);
  });
}

template <class T>
void Transform<T>::gradient(const Alm<T>& potential, Map<T>& map, const VectorOptions& options) {
  const core::ThreadScope threads(state_->threads);
  check_vectors(potential, 1, map, options, true);
  std::vector<double> factors;
  comm::phase(*comm_, [&] {
    ops::gradient_coefficients(Access::field(potential), *state_->vectors, tangent_axes(options.axes), options.radius);
    factors = ring_factors(map, options.factor, false);
  });
  state_->transform.synthesis(*state_->vectors, Access::field(map), factors);
}

template <class T>
void Transform<T>::adjoint_gradient(const Map<T>& map, Alm<T>& potential, const VectorOptions& options) {
  const core::ThreadScope threads(state_->threads);
  check_vectors(potential, 1, map, options, false);
  std::vector<double> factors;
  comm::phase(*comm_, [&] { factors = ring_factors(map, options.factor, false); });
  state_->transform.adjoint_synthesis(Access::field(map), *state_->vectors, factors);
  comm::phase(*comm_, [&] {
    ops::adjoint_gradient_coefficients(*state_->vectors, Access::field(potential), tangent_axes(options.axes),
                                       options.radius);
  });
}

template Alm<float> Transform<float>::make_vorticity_divergence() const;
template void Transform<float>::vector_fields(const Alm<float>&, Map<float>&, const VectorOptions&);
template void Transform<float>::vorticity_divergence(const Map<float>&, Alm<float>&, const VectorOptions&);
template Alm<float> Transform<float>::make_potential() const;
template void Transform<float>::gradient(const Alm<float>&, Map<float>&, const VectorOptions&);
template void Transform<float>::adjoint_gradient(const Map<float>&, Alm<float>&, const VectorOptions&);
template Alm<double> Transform<double>::make_vorticity_divergence() const;
template void Transform<double>::vector_fields(const Alm<double>&, Map<double>&, const VectorOptions&);
template void Transform<double>::vorticity_divergence(const Map<double>&, Alm<double>&, const VectorOptions&);
template Alm<double> Transform<double>::make_potential() const;
template void Transform<double>::gradient(const Alm<double>&, Map<double>&, const VectorOptions&);
template void Transform<double>::adjoint_gradient(const Map<double>&, Alm<double>&, const VectorOptions&);
}  // namespace armilla
