#pragma once

#include <armilla/legendre/scalar_kernel.hpp>

namespace armilla::legendre {

/// Fields stored side by side in a panel. A row holds the even halves [field][re, im], then the odd halves. Vectors run
/// along a row, so fields need no packing, transposition or reduction across lanes.
inline constexpr Index kPanelFields = 4;
inline constexpr Index kPanelRow = 4 * kPanelFields;

/// The most pairs that batch_synthesis computes at once.
inline constexpr Index kBlockPairs = 48;

/// Row index of a pair in the arrays of batch_adjoint. Classes of pairs, pair modulo the vector lanes of this machine,
/// are summed separately, as scalar_adjoint does in its lanes.
struct PairClasses {
  Index classes;
  Index pairs;  ///< padded
  /// Distance in rows between classes: one more than the pairs per class, because rows a power of two apart share few
  /// cache lines.
  Index stride() const { return pairs / classes + 1; }
  /// Number of rows of a panel.
  Index rows() const { return classes * stride(); }
  Index place(Index pair) const { return pair % classes * stride() + pair / classes; }
};
PairClasses pair_classes(const ScalarKernelTask& task);

/// Receives the results of batch_synthesis as they become complete, so that writing them to memory overlaps with
/// computing the next ones.
class HalvesSink {
 public:
  virtual ~HalvesSink() = default;
  /// Halves [pair][row] of a panel at `count` pairs, the first of which has the (padded) index `first` in the task.
  virtual void take(Index panel, Index first, Index count, const double* halves) = 0;
  /// All panels of these pairs have been passed to take().
  virtual void taken(Index first, Index count) = 0;
};

/// For the fields of panels, bitwise identical to scalar_synthesis. Coefficients are [panel][step][row], with
/// field_stride * kPanelFields values from panel to panel. Passes halves to `sink`, pairs in ascending order, without
/// padded pairs. `fields` of the task is ignored.
void batch_synthesis(const ScalarKernelTask& task, Index panels, const double* coefficients, HalvesSink& sink,
                     ScalarKernelWorkspace& work);

/// Bitwise identical to scalar_adjoint, starting from zeros. Halves are [panel][place(pair) of rows()][row], zero at
/// padded pairs; overwrites sums [panel][step][row].
void batch_adjoint(const ScalarKernelTask& task, Index panels, const double* halves, double* sums,
                   ScalarKernelWorkspace& work);

}  // namespace armilla::legendre
