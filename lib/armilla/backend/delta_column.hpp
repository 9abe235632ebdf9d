#pragma once

#include <armilla/legendre/ring_values.hpp>
#include <armilla/resample/pair_value.hpp>

namespace armilla::backend {

/// Delta of own m number k of one component and map (w = component * maps + map), all pairs of rings side by side; zero
/// at rings that do not feel m or are not there.
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

/// Puts it back; rings that do not feel m or are not there are left out.
template <class T>
void write_column(const legendre::Task& task, const resample::PairValue* rings, core::Index k, core::Index w,
                  std::complex<T>* delta) {
  for (core::Index pair = task.first_pair[static_cast<std::size_t>(k)]; pair < task.pairs(); ++pair)
    legendre::store_rings<T>(task, delta, k, pair, w,
                             {std::complex<T>(rings[pair].north()), std::complex<T>(rings[pair].south())});
}

}  // namespace armilla::backend
