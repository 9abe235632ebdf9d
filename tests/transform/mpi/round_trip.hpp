#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field_transform.hpp>

#include "support/distance.hpp"
#include "support/fields.hpp"

namespace armilla::transform {

/// With the Legendre stage on all rings of the grid, and on a least set of rings.
constexpr backend::ThetaResampling kOnAndOff[] = {backend::ThetaResampling::kOff, backend::ThetaResampling::kOn};

/// Collective. rms of alm -> map -> alm, less alm, over the rms of alm, which is noise; not a number where any
/// coefficient is not.
template <class T = double>
double round_trip_error(const comm::Communicator& comm, const FieldTransformSpec& asked) {
  FieldTransform<T> transform(comm, asked);
  const auto& spec = transform.spec();
  AlmField<T> alm(spec.kind, spec.alm, comm.rank(), spec.maps);
  AlmField<T> back(spec.kind, spec.alm, comm.rank(), spec.maps);
  MapField<T> map(spec.kind, spec.pixels, comm.rank(), spec.maps);
  test::fill_noise(alm, 21);
  test::poison(map);
  test::poison(back);
  transform.synthesis(alm, map);
  transform.quadrature(map, back);
  return test::distance(comm, back, alm);
}

}  // namespace armilla::transform
