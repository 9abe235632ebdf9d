#pragma once

#include <armilla/legendre/scalar_kernel.hpp>

namespace armilla::legendre {

/// Fields stored side by side in a panel. A row holds the even halves [field][re, im], then the odd halves. Vectors run
/// along a row, so fields need no packing, transposition or reduction across lanes.
inline constexpr Index kPanelFields = 4;
inline constexpr Index kPanelRow = 4 * kPanelFields;

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

/// For the fields of panels, bitwise identical to scalar_synthesis. Coefficients are [panel][step][row], with
/// field_stride * kPanelFields values from panel to panel. Halves [panel][pair][row] are overwritten, except for padded
/// pairs. `fields` of the task is ignored.
void batch_synthesis(const ScalarKernelTask& task, Index panels, const double* coefficients, double* halves,
                     ScalarKernelWorkspace& work);

/// Bitwise identical to scalar_adjoint, starting from zeros. Halves are [panel][place(pair) of rows()][row], zero at
/// padded pairs; overwrites sums [panel][step][row].
void batch_adjoint(const ScalarKernelTask& task, Index panels, const double* halves, double* sums,
                   ScalarKernelWorkspace& work);

}  // namespace armilla::legendre
