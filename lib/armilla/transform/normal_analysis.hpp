#pragma once

#include <armilla/normal/normal_iteration.hpp>
#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/ring_analysis.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace armilla::transform {

/// What the normal matrix of a part is made of, with `weight` [sr] of a pixel of each ring of the grid; nothing where
/// normal::NormalIteration is not for it: pairs of rings that do not mirror each other, rings whose first pixel stands
/// where aliases are turned by other than 1 or -1, m not in steps of 1.
std::optional<normal::NormalTask> normal_task(const FieldTransformSpec& spec, const FieldPart& part,
                                              std::span<const double> weight);

/// Whether `iterations` corrections of Jacobi go by the normal matrix, NormalAnalysis: for maps enough to be worth its
/// tables, spec.all_maps, and tables that are not too large. The same for all ranks and batches.
bool corrects_by_normal_matrix(const FieldTransformSpec& spec, Index iterations);

/// Analysis with corrections of Jacobi, for whole maps on one rank.
template <class T>
class NormalAnalysis {
 public:
  /// Makes the tables of all parts, `weight` as for normal_task(), which has a task for each part of spec.kind.
  NormalAnalysis(const FieldTransformSpec& spec, std::span<const double> weight);
  NormalAnalysis(const NormalAnalysis&) = delete;
  NormalAnalysis& operator=(const NormalAnalysis&) = delete;

  /// Finds the alm of a map, A map and so many rounds, at least one, of alm += A (map - Y alm); overwrites alm. Not
  /// collective.
  void analyse(const MapField<T>& map, Index iterations, AlmField<T>& alm);

  /// Whether it was made with these weights.
  bool is_for(std::span<const double> weight) const;

  /// Bytes of tables and working memory.
  static Index bytes(const FieldTransformSpec& spec);

 private:
  struct Part {
    FieldPart part;
    std::unique_ptr<normal::NormalIteration> iteration;
    std::unique_ptr<RingAnalysis<T>> first;
  };
  std::vector<Part> parts_;
  normal::NormalIteration::Memory memory_;
  std::vector<Index> offsets_;   // [m]
  std::vector<double> weights_;  // [ring]
};

extern template class NormalAnalysis<float>;
extern template class NormalAnalysis<double>;

}  // namespace armilla::transform
