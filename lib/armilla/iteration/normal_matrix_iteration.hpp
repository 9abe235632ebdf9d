#pragma once

#include <armilla/iteration/iteration.hpp>
#include <armilla/iteration/ring_analysis.hpp>
#include <armilla/normal_matrix/iterated_analysis.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla::iteration {

/// Input of the normal matrix of a spin field, with `weight` [sr] of a pixel of each ring of the grid. Returns
/// std::nullopt if normal_matrix::IteratedAnalysis does not support it: ring pairs that are not mirror images, rings
/// whose first pixel gives aliases a phase factor other than 1 or -1, or an m step other than 1.
std::optional<normal_matrix::NormalTask> normal_task(const FieldTransformSpec& spec, const SpinField& spin_field,
                                                     std::span<const double> weight);

/// Why corrections cannot use the normal matrix for a grid, layout and field kind: rings that are not mirror images, or
/// tables that are too large. Empty if they can. The same for all ranks.
std::string why_no_normal_matrix(const FieldTransformSpec& spec);

/// Analysis with Jacobi corrections, for whole maps on one rank.
template <class T>
class NormalMatrixIteration final : public Iteration<T> {
 public:
  /// Builds the tables of all spin fields. `weight` as for normal_task(), which must have a task for each spin field of
  /// spec.kind.
  NormalMatrixIteration(const FieldTransformSpec& spec, std::span<const double> weight);
  NormalMatrixIteration(const NormalMatrixIteration&) = delete;
  NormalMatrixIteration& operator=(const NormalMatrixIteration&) = delete;

  /// Not collective. Requires at least one correction.
  void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>* checkpoint) override;

  static core::MemoryEstimate memory(const FieldTransformSpec& spec);

 private:
  struct SpinFieldIteration {
    SpinField spin_field;
    std::unique_ptr<normal_matrix::IteratedAnalysis> iteration;
    std::unique_ptr<RingAnalysis<T>> first;
  };
  std::vector<SpinFieldIteration> iterations_;
  normal_matrix::IteratedAnalysis::Memory memory_;
  std::vector<Index> offsets_;  // [m]
};

}  // namespace armilla::iteration
