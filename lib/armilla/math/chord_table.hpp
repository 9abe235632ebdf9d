#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <cmath>

namespace armilla::math {

/// A function of the angle as polynomials on cells of equal width: in sin(angle / 2) up to a right angle, and beyond it
/// in cos(angle / 2), which decreases to 0 at the end of the last cell. Refers to the coefficients.
struct ChordTable {
  static constexpr int kTerms = 8;

  const double* coefficients;  ///< [cell][kTerms]: ascending powers of the position in the cell, -1 .. 1
  core::Index cells;
  double cells_per_unit;
  double end;  ///< the value is 0 beyond

  /// The value at chord = sin^2(angle / 2).
  HOST_DEVICE double operator()(double chord) const {
    if (chord > end) return 0;
    const double place = chord <= 0.5
                             ? std::sqrt(chord) * cells_per_unit
                             : static_cast<double>(cells) - std::sqrt(chord < 1 ? 1 - chord : 0) * cells_per_unit;
    const auto floor = static_cast<core::Index>(place);
    const core::Index cell = floor < cells ? floor : cells - 1;
    const double x = 2 * (place - static_cast<double>(cell)) - 1;
    const double* c = coefficients + cell * kTerms;
    double sum = c[kTerms - 1];
    for (int k = kTerms - 2; k >= 0; --k) sum = sum * x + c[k];
    return sum;
  }
};

}  // namespace armilla::math
