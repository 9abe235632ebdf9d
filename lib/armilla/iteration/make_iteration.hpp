#pragma once

#include <armilla/iteration/iteration.hpp>
#include <armilla/iteration/scheme.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace armilla::iteration {

/// The quadrature A of an iteration.
template <class T>
struct Quadrature {
  /// Collective. alm = A map; overwrites alm. `scratch` is a map to work in, which may be `map` itself; null where
  /// needs_scratch is false.
  std::function<void(const MapField<T>& map, AlmField<T>& alm, MapField<T>* scratch)> apply;
  bool needs_scratch = false;
  std::vector<double> ring_weights = {};  ///< [sr] of a pixel of each ring of the grid, where A has no others
};

/// Collective. By choose_scheme(), which may throw. The transform outlives it.
template <class T>
std::unique_ptr<Iteration<T>> make_iteration(FieldTransform<T>& transform, const Corrections& corrections,
                                             Quadrature<T> quadrature);

/// Of what make_iteration() makes, on `rank`; of the device where spec.on_device().
template <class T>
core::MemoryEstimate iteration_memory(const FieldTransformSpec& spec, int rank, const Corrections& corrections,
                                      bool needs_scratch);

}  // namespace armilla::iteration
