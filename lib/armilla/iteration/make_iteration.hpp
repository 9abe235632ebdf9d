#pragma once

#include <armilla/iteration/iteration.hpp>
#include <armilla/iteration/scheme.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace armilla::iteration {

/// The analysis A of an iteration, a quadrature.
template <class T>
struct AnalysisOperator {
  /// Collective. alm = A map; overwrites alm. `scratch` is a scratch map, which may be `map` itself, or null if
  /// needs_scratch is false.
  std::function<void(const MapField<T>& map, AlmField<T>& alm, MapField<T>* scratch)> apply;
  bool needs_scratch = false;
  std::vector<double> ring_weights = {};  ///< [sr] of a pixel of each grid ring, if A uses no other weights
};

/// Collective. Uses choose_scheme(), which may throw. The transform must outlive the iteration.
template <class T>
std::unique_ptr<Iteration<T>> make_iteration(FieldTransform<T>& transform, const IterationSpec& iterations,
                                             AnalysisOperator<T> analysis);

/// Memory of the iteration from make_iteration() on `rank`; device memory if spec.on_device().
template <class T>
core::MemoryEstimate iteration_memory(const FieldTransformSpec& spec, int rank, const IterationSpec& iterations,
                                      bool needs_scratch);

}  // namespace armilla::iteration
