#pragma once

#include <armilla/normal/normal_iteration.hpp>
#include <armilla/normal/state.hpp>
#include <armilla/normal/systems.hpp>

#include <complex>

namespace armilla::normal {

/// Maps first .. first + count - 1 of a batch, which are columns of a state: panels of one half hold them all.
struct MapColumns {
  Index first, count;
  Index panels(const Systems& systems) const {
    return systems.halves() * ((count + kPanelColumns - 1) / kPanelColumns);
  }
};

/// Coefficients of m to the rows of its systems; columns without a map, and padded rows, get zeros.
template <class T>
void load_columns(const Systems& systems, Index m, const MapColumns& maps, const AlmPlaces& places,
                  const std::complex<T>* alm, State<double> to);
/// Back; coefficients of m = 0 are real.
template <class T>
void store_columns(const Systems& systems, Index m, const MapColumns& maps, const AlmPlaces& places,
                   State<const double> from, std::complex<T>* alm);

extern template void load_columns<float>(const Systems&, Index, const MapColumns&, const AlmPlaces&,
                                         const std::complex<float>*, State<double>);
extern template void load_columns<double>(const Systems&, Index, const MapColumns&, const AlmPlaces&,
                                          const std::complex<double>*, State<double>);
extern template void store_columns<float>(const Systems&, Index, const MapColumns&, const AlmPlaces&,
                                          State<const double>, std::complex<float>*);
extern template void store_columns<double>(const Systems&, Index, const MapColumns&, const AlmPlaces&,
                                           State<const double>, std::complex<double>*);

}  // namespace armilla::normal
