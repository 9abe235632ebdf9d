#pragma once

#include <armilla/api/transform.hpp>
#include <armilla/ops/analysis.hpp>

#include <memory>
#include <optional>

namespace armilla::api {

/// For the implementation, not installed: what a Transform holds.
template <class T>
struct TransformState {
  std::shared_ptr<const Communicator> comm;  ///< used by the transform
  transform::FieldTransform<T> transform;
  int threads = 0;            ///< of each call; 0: those of the caller
  bool check_finite = false;  ///< of the argument of each call
  Index workspace = 0;        ///< Transform::workspace_bytes()
  /// The last analysis, kept for further calls with the same method.
  ops::AnalysisMethod method = {};
  std::unique_ptr<ops::Analysis<T>> analysis = {};
  std::optional<transform::AlmField<T>> vectors = {};  ///< coefficients of E and B of calls for vector fields
};

/// Throws InputError if the grid has no weights, or if the quadrature cannot distinguish the coefficients.
void check_quadrature(const RingGrid& grid, const AlmLayout& layout, Index spin);

}  // namespace armilla::api
