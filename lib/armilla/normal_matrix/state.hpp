#pragma once

#include <armilla/normal_matrix/product.hpp>
#include <armilla/normal_matrix/systems.hpp>

namespace armilla::normal_matrix {

/// Values of all systems, [system][panel][padded row][value]. Columns are stored in panels, those of the first half
/// before those of the second. Alternatively, values of some consecutive systems only, without the rows before them.
template <class Number>
struct State {
  Number* numbers;
  Panels panels;
  Index first_row = 0;

  Number* panel(const Systems& systems, Index m, Index q, Index number) const {
    return numbers +
           ((systems.begin(m, q) - first_row) * panels.count + number * systems.padded_rows(m, q)) * panels.numbers();
  }
  /// The panel, in the other half, whose columns represent conjugates of those of panel `number`.
  Index mirror(const Systems& systems, Index number) const {
    return (number + (systems.halves() - 1) * (panels.count / 2)) % panels.count;
  }
  operator State<const Number>() const { return {numbers, panels, first_row}; }
  static Index size(const Systems& systems, const Panels& panels) { return systems.all_rows() * panels.all_numbers(); }
};

}  // namespace armilla::normal_matrix
