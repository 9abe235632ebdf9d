#pragma once

#include <armilla/normal_matrix/first_analysis.hpp>
#include <armilla/normal_matrix/state.hpp>
#include <armilla/normal_matrix/systems.hpp>

#include <complex>

namespace armilla::normal_matrix {

/// Maps first .. first + count - 1 of a batch, or of a chunk of it, as columns of a state; the panels of one half
/// contain all of them.
struct MapColumns {
  Index first, count;
  Panels panels(const Systems& systems) const {
    Index columns = kMinColumns;
    while (columns < count && columns < kMaxColumns) columns *= 2;
    return {systems.halves() * ((count + columns - 1) / columns), columns};
  }
};

/// Sets those values of m that hold no coefficients of a map to zero: columns from `maps` on, and padded rows.
void clear_columns(const Systems& systems, Index m, Index maps, State<double> to);
/// Copies coefficients of m, for columns starting at maps.first, to the rows of its systems.
template <class T>
void load_columns(const Systems& systems, Index m, const MapColumns& maps, const AlmOfM<const std::complex<T>>& alm,
                  State<double> to);
/// Copies the first `maps` columns back, with zeros for degrees below the spin; `streamed`: with non-temporal stores.
/// Coefficients of m = 0 are real.
template <class T>
void store_columns(const Systems& systems, Index m, Index maps, State<const double> from,
                   const AlmOfM<std::complex<T>>& alm, bool streamed);

}  // namespace armilla::normal_matrix
