#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

namespace armilla::test {

/// Collective. Sum of products over pixels, components and maps.
inline double dot(const comm::Communicator& comm, const transform::MapField<double>& a,
                  const transform::MapField<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.data().size(); ++i) sum += a.data()[i] * b.data()[i];
  comm.sum(std::span<double>(&sum, 1));
  return sum;
}

/// Collective. Sum of a conj(b), over m of both signs: those of m < 0 give the complex conjugate.
inline double dot(const comm::Communicator& comm, const transform::AlmField<double>& a,
                  const transform::AlmField<double>& b) {
  const auto own_m = a.distribution().local_m(a.rank());
  const auto offsets = a.distribution().local_offsets(a.rank());
  const core::Index lmax = a.distribution().layout().lmax();
  double sum = 0;
  for (core::Index map = 0; map < a.maps(); ++map)
    for (core::Index c = 0; c < a.kind().components(); ++c)
      for (std::size_t k = 0; k < own_m.size(); ++k)
        for (core::Index l = own_m[k]; l <= lmax; ++l) {
          const auto i = static_cast<std::size_t>(offsets[k] + l);
          const std::complex<double> product = a.component(map, c)[i] * std::conj(b.component(map, c)[i]);
          sum += (own_m[k] == 0 ? 1.0 : 2.0) * product.real();
        }
  comm.sum(std::span<double>(&sum, 1));
  return sum;
}

}  // namespace armilla::test
