#pragma once

#include <armilla/normal_matrix/product.hpp>
#include <armilla/normal_matrix/systems.hpp>

namespace armilla::normal_matrix {

/// Numbers of all systems, [system][panel][padded row][number], of columns in panels: those of each
/// half, then of the other. Or of some neighbouring systems only, the rows before which are left out.
template <class Number>
struct State {
  Number* numbers;
  Panels panels;
  Index first_row = 0;

  Number* panel(const Systems& systems, Index m, Index q, Index number) const {
    return numbers +
           ((systems.begin(m, q) - first_row) * panels.count + number * systems.padded_rows(m, q)) * panels.numbers();
  }
  /// The panel with the columns that stand for the conjugates of those of `number`: in the other half.
  Index mirror(const Systems& systems, Index number) const {
    return (number + (systems.halves() - 1) * (panels.count / 2)) % panels.count;
  }
  operator State<const Number>() const { return {numbers, panels, first_row}; }
  static Index size(const Systems& systems, const Panels& panels) { return systems.all_rows() * panels.all_numbers(); }
};

}  // namespace armilla::normal_matrix
