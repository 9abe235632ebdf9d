#pragma once

#include <armilla/legendre/task.hpp>

#include <algorithm>
#include <complex>
#include <vector>

namespace armilla::legendre {

/// Stores sums [l - lowest][component, map] as the coefficients of the local m with index k, with zeros below `lowest`.
template <class T>
void store_coefficients(const Task& task, Index k, Index lowest, const std::vector<std::complex<double>>& sums,
                        std::complex<T>* alm) {
  for (Index component = 0; component < task.components; ++component)
    for (Index map = 0; map < task.maps; ++map) {
      std::complex<T>* out = alm + map * task.map_stride + component * task.component_stride +
                             task.alm_offset[static_cast<std::size_t>(k)];
      for (Index l = task.m[static_cast<std::size_t>(k)]; l < std::min(lowest, task.lmax + 1); ++l) out[l] = 0;
      for (Index l = lowest; l <= task.lmax; ++l)
        out[l] =
            std::complex<T>(sums[static_cast<std::size_t>((l - lowest) * task.width() + component * task.maps + map)]);
    }
}

}  // namespace armilla::legendre
