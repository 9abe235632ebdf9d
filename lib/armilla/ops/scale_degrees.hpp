#pragma once

#include <armilla/transform/field.hpp>

#include <vector>

namespace armilla::ops {

/// Not collective. to_lm = factors[l] * from_lm for all local coefficients of one component of one map. `from` and `to`
/// may be the same.
template <class T>
void scale_degrees(const dist::AlmDistribution& distribution, int rank, const std::vector<double>& factors,
                   std::span<const std::complex<T>> from, std::span<std::complex<T>> to) {
  using core::Index;
  const std::vector<Index> own_m = distribution.local_m(rank);
  const std::vector<Index> offsets = distribution.local_offsets(rank);
  const Index lmax = distribution.layout().lmax();
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t k = 0; k < own_m.size(); ++k)
    for (Index l = own_m[k]; l <= lmax; ++l) {
      const auto i = static_cast<std::size_t>(offsets[k] + l);
      to[i] = static_cast<T>(factors[static_cast<std::size_t>(l)]) * from[i];
    }
}

}  // namespace armilla::ops
