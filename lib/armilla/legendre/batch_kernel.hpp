#pragma once

#include <armilla/legendre/scalar_kernel.hpp>

namespace armilla::legendre {

/// Fields that stand side by side in a panel, and numbers of its rows: even halves [field][re, im], then odd halves.
/// Vectors go along a row, so that of many fields none is packed, turned or summed up over its lanes.
inline constexpr Index kPanelFields = 4;
inline constexpr Index kPanelRow = 4 * kPanelFields;

/// Where the row of a pair stands among those of scalar_batch_adjoint: it sums up classes of pairs apart, pair modulo
/// lanes of the vectors of this machine, as scalar_adjoint does in its lanes.
struct PairClasses {
  Index classes;
  Index pairs;  ///< padded
  /// Rows from class to class: one more than there are pairs, for rows a power of two apart share few cache lines.
  Index stride() const { return pairs / classes + 1; }
  /// Rows of a panel.
  Index rows() const { return classes * stride(); }
  Index place(Index pair) const { return pair % classes * stride() + pair / classes; }
};
PairClasses pair_classes(const ScalarKernelTask& task);

/// As scalar_synthesis, bit for bit, for the fields of panels: coefficients [panel][step][row] with field_stride *
/// kPanelFields numbers from panel to panel, halves [panel][pair][row] overwritten but for padded pairs. `fields` of
/// the task is not read.
void batch_synthesis(const ScalarKernelTask& task, Index panels, const double* coefficients, double* halves,
                     ScalarKernelWorkspace& work);

/// As scalar_adjoint, bit for bit, into zeros: halves [panel][place(pair) of rows()][row], zero at padded pairs;
/// overwrites sums [panel][step][row].
void batch_adjoint(const ScalarKernelTask& task, Index panels, const double* halves, double* sums,
                   ScalarKernelWorkspace& work);

}  // namespace armilla::legendre
