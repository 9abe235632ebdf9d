#pragma once

#include <armilla/iteration/iteration.hpp>
#include <armilla/iteration/ring_analysis.hpp>
#include <armilla/normal_matrix/normal_iteration.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla::iteration {

/// What the normal matrix of a spin field is made of, with `weight` [sr] of a pixel of each ring of the grid; nothing
/// where normal_matrix::NormalIteration is not for it: pairs of rings that do not mirror each other, rings whose first
/// pixel stands where aliases are turned by other than 1 or -1, m not in steps of 1.
std::optional<normal_matrix::NormalTask> normal_task(const FieldTransformSpec& spec, const SpinField& spin_field,
                                                     std::span<const double> weight);

/// Why the corrections of an analysis cannot go by the normal matrix of a grid, layout and field kind: rings that do
/// not mirror each other, or tables that are too large; empty where they can. The same for all ranks.
std::string why_no_normal_matrix(const FieldTransformSpec& spec);

/// Analysis with corrections of Jacobi, for whole maps on one rank.
template <class T>
class NormalIteration final : public Iteration<T> {
 public:
  /// Makes the tables of all spin fields, `weight` as for normal_task(), which has a task for each spin field of
  /// spec.kind.
  NormalIteration(const FieldTransformSpec& spec, std::span<const double> weight);
  NormalIteration(const NormalIteration&) = delete;
  NormalIteration& operator=(const NormalIteration&) = delete;

  /// With at least one correction. Not collective.
  void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>* checkpoint) override;

  static core::MemoryEstimate memory(const FieldTransformSpec& spec);

 private:
  struct SpinFieldIteration {
    SpinField spin_field;
    std::unique_ptr<normal_matrix::NormalIteration> iteration;
    std::unique_ptr<RingAnalysis<T>> first;
  };
  std::vector<SpinFieldIteration> iterations_;
  normal_matrix::NormalIteration::Memory memory_;
  std::vector<Index> offsets_;  // [m]
};

}  // namespace armilla::iteration
