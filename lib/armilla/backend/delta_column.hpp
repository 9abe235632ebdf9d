#pragma once

#include <armilla/legendre/ring_values.hpp>
#include <armilla/resample/pair_value.hpp>

namespace armilla::backend {

/// Copies Delta of the k-th local m of one component and map (w = component * maps + map) to a contiguous column over
/// all pairs of rings. Rings that are absent, or to which m does not contribute, are zero.
template <class T>
void read_column(const legendre::Task& task, const std::complex<T>* delta, core::Index k, core::Index w,
                 resample::PairValue* rings) {
  const core::Index first = task.first_pair[static_cast<std::size_t>(k)];
  for (core::Index pair = 0; pair < first; ++pair) rings[pair] = {};
  for (core::Index pair = first; pair < task.pairs(); ++pair) {
    const auto [north, south] = legendre::load_rings<T>(task, delta, k, pair, w);
    rings[pair] = {{north.real(), north.imag(), south.real(), south.imag()}};
  }
}

/// Copies the column back, except to rings that are absent or to which m does not contribute.
template <class T>
void write_column(const legendre::Task& task, const resample::PairValue* rings, core::Index k, core::Index w,
                  std::complex<T>* delta) {
  for (core::Index pair = task.first_pair[static_cast<std::size_t>(k)]; pair < task.pairs(); ++pair)
    legendre::store_rings<T>(task, delta, k, pair, w,
                             {std::complex<T>(rings[pair].north()), std::complex<T>(rings[pair].south())});
}

}  // namespace armilla::backend
