#include <armilla/core/instantiate.hpp>
#include <armilla/math/wigner.hpp>
#include <armilla/normal_matrix/columns.hpp>
#include <armilla/normal_matrix/product.hpp>

#include <algorithm>
#include <vector>

namespace armilla::normal_matrix {

namespace {

// Adjacent columns that are loaded together: a cache line of a row.
constexpr Index kTogether = 4;
static_assert(kMinColumns % kTogether == 0);

// (-1)^(s + l + m).
double mirror_sign(const Systems& systems, Index l, Index m) { return (systems.spin() + l + m) % 2 == 0 ? 1 : -1; }

// Calls body(values of a column's row in the first half, those in the other half, l) for all rows of q.
template <class Number, class Body>
void for_each_row(const Systems& systems, Index m, Index q, Index column, State<Number> state, const Body& body) {
  const Index panel = column / state.panels.columns;
  const Index place = 2 * (column % state.panels.columns);
  const Index numbers = state.panels.numbers();
  Number* one = state.panel(systems, m, q, panel) + place;
  Number* other = state.panel(systems, m, q, state.mirror(systems, panel)) + place;
  for (Index row = 0; row < systems.rows(m, q); ++row, one += numbers, other += numbers)
    body(one, other, systems.degree(m, q, row));
}

// Some adjacent columns of a panel, starting at `column`.
template <class T>
void load_some(const Systems& systems, Index m, Index column, Index count, const AlmOfM<const std::complex<T>>& alm,
               State<double> to) {
  for (Index q = 0; q < systems.per_m(); ++q)
    for_each_row(systems, m, q, column, to, [&](double* u, double* v, Index l) {
      const std::complex<T>* e = alm.numbers + l;
      if (systems.spin() == 0) {
        for (Index k = 0; k < count; ++k, e += alm.map_stride) {
          u[2 * k] = static_cast<double>(e->real());
          u[2 * k + 1] = static_cast<double>(e->imag());
        }
        return;
      }
      const double sign = mirror_sign(systems, l, m);
      for (Index k = 0; k < count; ++k, e += alm.map_stride) {
        const std::complex<double> own(*e);
        const std::complex<T>& b = e[alm.component_stride];
        const std::complex<double> turned(-static_cast<double>(b.imag()), static_cast<double>(b.real()));
        u[2 * k] = own.real() + turned.real();
        u[2 * k + 1] = own.imag() + turned.imag();
        v[2 * k] = sign * (own.real() - turned.real());
        v[2 * k + 1] = sign * (own.imag() - turned.imag());
      }
    });
}

}  // namespace

void clear_columns(const Systems& systems, Index m, Index maps, State<double> to) {
  const bool whole = maps % to.panels.columns == 0;
  for (Index q = 0; q < systems.per_m(); ++q)
    for (Index p = 0; p < to.panels.count; ++p) {
      double* panel = to.panel(systems, m, q, p);
      std::fill(panel + (whole ? systems.rows(m, q) * to.panels.numbers() : 0),
                panel + systems.padded_rows(m, q) * to.panels.numbers(), 0.0);
    }
}

template <class T>
void load_columns(const Systems& systems, Index m, const MapColumns& maps, const AlmOfM<const std::complex<T>>& alm,
                  State<double> to) {
  for (Index k = 0; k < maps.count;) {
    const Index column = maps.first + k;
    const Index count = std::min(kTogether - column % kTogether, maps.count - k);
    load_some(systems, m, column, count,
              AlmOfM<const std::complex<T>>{alm.numbers + k * alm.map_stride, alm.component_stride, alm.map_stride},
              to);
    k += count;
  }
}

template <class T>
void store_columns(const Systems& systems, Index m, Index maps, State<const double> from,
                   const AlmOfM<std::complex<T>>& alm, bool streamed) {
  const auto number = [&](double re, double im) {
    return std::complex<T>(static_cast<T>(re), m == 0 ? T{0} : static_cast<T>(im));
  };
  const Index first = std::min(m, systems.lmax());
  const Index count = systems.lmax() + 1 - first;
  const Index components = systems.spin() == 0 ? 1 : 2;
  std::vector<std::complex<T>> column(static_cast<std::size_t>(components * count));
  std::complex<T>* b = column.data() + (components - 1) * count;
  for (Index map = 0; map < maps; ++map) {
    for (Index q = 0; q < systems.per_m(); ++q)
      for_each_row(systems, m, q, map, from, [&](const double* u, const double* v, Index l) {
        if (systems.spin() == 0) {
          column[static_cast<std::size_t>(l - first)] = number(u[0], u[1]);
          return;
        }
        const double sign = mirror_sign(systems, l, m);
        // u - v = 2 i B.
        column[static_cast<std::size_t>(l - first)] = number((u[0] + sign * v[0]) / 2, (u[1] + sign * v[1]) / 2);
        b[l - first] = number((u[1] - sign * v[1]) / 2, -(u[0] - sign * v[0]) / 2);
      });
    for (Index c = 0; c < components; ++c)
      copy(column.data() + c * count, count * static_cast<Index>(sizeof(std::complex<T>)), streamed,
           alm.numbers + map * alm.map_stride + c * alm.component_stride + first);
  }
}

ARMILLA_INSTANTIATE(load_columns);
ARMILLA_INSTANTIATE(store_columns);

}  // namespace armilla::normal_matrix
