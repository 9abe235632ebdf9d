#include <armilla/math/wigner.hpp>
#include <armilla/normal/columns.hpp>

#include <algorithm>

namespace armilla::normal {

namespace {

// (-1)^(s + l + m).
double mirror_sign(const Systems& systems, Index l, Index m) { return (systems.spin() + l + m) % 2 == 0 ? 1 : -1; }

// Calls body(row numbers of the map's column in the first half, the same in the other, l) for all rows of q.
template <class Number, class Body>
void for_each_row(const Systems& systems, Index m, Index q, Index column, State<Number> state, const Body& body) {
  const Index panel = column / kPanelColumns;
  const Index place = 2 * (column % kPanelColumns);
  Number* one = state.panel(systems, m, q, panel) + place;
  Number* other = state.panel(systems, m, q, state.mirror(systems, panel)) + place;
  for (Index row = 0; row < systems.rows(m, q); ++row, one += kPanelNumbers, other += kPanelNumbers)
    body(one, other, systems.degree(m, q, row));
}

}  // namespace

template <class T>
void load_columns(const Systems& systems, Index m, const MapColumns& maps, const AlmPlaces& places,
                  const std::complex<T>* alm, State<double> to) {
  for (Index q = 0; q < systems.per_m(); ++q)
    for (Index p = 0; p < to.panels; ++p) {
      double* panel = to.panel(systems, m, q, p);
      const bool whole = maps.count % kPanelColumns == 0;
      std::fill(panel + (whole ? systems.rows(m, q) * kPanelNumbers : 0),
                panel + systems.padded_rows(m, q) * kPanelNumbers, 0.0);
    }
  for (Index map = 0; map < maps.count; ++map) {
    const std::complex<T>* e =
        alm + (maps.first + map) * places.map_stride + places.offset[static_cast<std::size_t>(m)];
    const std::complex<T>* b = e + places.component_stride;
    for (Index q = 0; q < systems.per_m(); ++q)
      for_each_row(systems, m, q, map, to, [&](double* u, double* v, Index l) {
        const std::complex<double> own(e[l]);
        if (systems.spin() == 0) {
          u[0] = own.real();
          u[1] = own.imag();
          return;
        }
        const std::complex<double> turned(-static_cast<double>(b[l].imag()), static_cast<double>(b[l].real()));
        const double sign = mirror_sign(systems, l, m);
        u[0] = own.real() + turned.real();
        u[1] = own.imag() + turned.imag();
        v[0] = sign * (own.real() - turned.real());
        v[1] = sign * (own.imag() - turned.imag());
      });
  }
}

template <class T>
void store_columns(const Systems& systems, Index m, const MapColumns& maps, const AlmPlaces& places,
                   State<const double> from, std::complex<T>* alm) {
  const auto number = [&](double re, double im) {
    return std::complex<T>(static_cast<T>(re), m == 0 ? T{0} : static_cast<T>(im));
  };
  for (Index map = 0; map < maps.count; ++map) {
    std::complex<T>* e = alm + (maps.first + map) * places.map_stride + places.offset[static_cast<std::size_t>(m)];
    std::complex<T>* b = e + places.component_stride;
    for (Index q = 0; q < systems.per_m(); ++q)
      for_each_row(systems, m, q, map, from, [&](const double* u, const double* v, Index l) {
        if (systems.spin() == 0) {
          e[l] = number(u[0], u[1]);
          return;
        }
        const double sign = mirror_sign(systems, l, m);
        // u - v = 2 i B.
        e[l] = number((u[0] + sign * v[0]) / 2, (u[1] + sign * v[1]) / 2);
        b[l] = number((u[1] - sign * v[1]) / 2, -(u[0] - sign * v[0]) / 2);
      });
  }
}

template void load_columns<float>(const Systems&, Index, const MapColumns&, const AlmPlaces&,
                                  const std::complex<float>*, State<double>);
template void load_columns<double>(const Systems&, Index, const MapColumns&, const AlmPlaces&,
                                   const std::complex<double>*, State<double>);
template void store_columns<float>(const Systems&, Index, const MapColumns&, const AlmPlaces&, State<const double>,
                                   std::complex<float>*);
template void store_columns<double>(const Systems&, Index, const MapColumns&, const AlmPlaces&, State<const double>,
                                    std::complex<double>*);

}  // namespace armilla::normal
