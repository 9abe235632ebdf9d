#pragma once

#include <armilla/normal_matrix/first_analysis.hpp>
#include <armilla/normal_matrix/state.hpp>
#include <armilla/normal_matrix/systems.hpp>

#include <complex>

namespace armilla::normal_matrix {

/// Maps first .. first + count - 1 of a batch, or of a chunk of it, which are columns of a state: panels of one half
/// hold them all.
struct MapColumns {
  Index first, count;
  Panels panels(const Systems& systems) const {
    Index columns = kMinColumns;
    while (columns < count && columns < kMaxColumns) columns *= 2;
    return {systems.halves() * ((count + columns - 1) / columns), columns};
  }
};

/// Zeros where no map's coefficients of m come: in columns without a map, from `maps` on, and padded rows.
void clear_columns(const Systems& systems, Index m, Index maps, State<double> to);
/// Coefficients of m, of columns maps.first and so on, to the rows of its systems.
template <class T>
void load_columns(const Systems& systems, Index m, const MapColumns& maps, const AlmOfM<const std::complex<T>>& alm,
                  State<double> to);
/// Back, of the first `maps` columns, and zeros for degrees below the spin; `streamed`: past the caches. Coefficients
/// of m = 0 are real.
template <class T>
void store_columns(const Systems& systems, Index m, Index maps, State<const double> from,
                   const AlmOfM<std::complex<T>>& alm, bool streamed);

}  // namespace armilla::normal_matrix
