#pragma once

#include <armilla/normal/product.hpp>
#include <armilla/normal/systems.hpp>

namespace armilla::normal {

/// Numbers of all systems, [system][panel][padded row][kPanelNumbers], of columns in `panels` panels: those of each
/// half, then of the other. Or of some neighbouring systems only, the rows before which are left out.
template <class Number>
struct State {
  Number* numbers;
  Index panels;
  Index first_row = 0;

  Number* panel(const Systems& systems, Index m, Index q, Index number) const {
    return numbers + ((systems.begin(m, q) - first_row) * panels + number * systems.padded_rows(m, q)) * kPanelNumbers;
  }
  /// The panel with the columns that stand for the conjugates of those of `number`: in the other half.
  Index mirror(const Systems& systems, Index number) const {
    return (number + (systems.halves() - 1) * (panels / 2)) % panels;
  }
  operator State<const Number>() const { return {numbers, panels, first_row}; }
  static Index size(const Systems& systems, Index panels) { return systems.all_rows() * panels * kPanelNumbers; }
};

}  // namespace armilla::normal
