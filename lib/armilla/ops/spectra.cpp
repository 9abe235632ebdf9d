#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/spectra.hpp>

#include <algorithm>
#include <complex>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

namespace armilla::ops {

namespace {

// Auto spectra first, then pairs of neighbours, then pairs of more distant components: TT EE BB TE EB TB.
std::vector<std::pair<Index, Index>> component_pairs(Index components) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index distance = 0; distance < components; ++distance)
    for (Index i = 0; i + distance < components; ++i) pairs.emplace_back(i, i + distance);
  return pairs;
}

/// Indices of the maps of both fields for one table.
struct MapPair {
  Index a, b;
};

template <class T>
double product(std::complex<T> x, std::complex<T> y) {
  return static_cast<double>(x.real()) * static_cast<double>(y.real()) +
         static_cast<double>(x.imag()) * static_cast<double>(y.imag());
}

// Two components of a map, and the offset of each local m in them.
template <class T>
struct Coefficients {
  const std::span<const std::complex<T>>* components;
  Index i, j;
  std::span<const Index> offsets;

  // Coefficients of local m at index k, starting at degree l >= m.
  const std::complex<T>* row(Index component, std::size_t k, Index l) const {
    return &components[component][static_cast<std::size_t>(offsets[k] + l)];
  }
};

// Calls add(l, term) for all local m.
template <class T, class Add>
void visit_degrees(std::span<const Index> own_m, const Coefficients<T>& a, const Coefficients<T>& b, Index begin,
                   Index end, const Add& add) {
  for (std::size_t k = 0; k < own_m.size(); ++k) {
    const double both_signs = own_m[k] == 0 ? 1.0 : 2.0;  // m and -m
    const Index first = std::max(begin, own_m[k]);
    if (first >= end) continue;
    const auto *ai = a.row(a.i, k, first), *aj = a.row(a.j, k, first);
    const auto *bi = b.row(b.i, k, first), *bj = b.row(b.j, k, first);
    for (Index l = 0; l < end - first; ++l)
      add(first + l, both_signs * 0.5 * (product(ai[l], bj[l]) + product(aj[l], bi[l])));
  }
}

template <class T>
void check(const transform::AlmField<T>& a, const transform::AlmField<T>& b) {
  if (!(a.kind() == b.kind()))
    throw core::InputError(
        fmt::format("spectra: the two fields have the components {} and {}: use fields with the same",
                    fmt::join(a.kind().alm_names(), ", "), fmt::join(b.kind().alm_names(), ", ")));
  if (a.distribution().layout().mmax() != b.distribution().layout().mmax())  // mmax determines the owners of m
    throw core::InputError(fmt::format("spectra: the two fields have mmax {} and {}: use fields with the same mmax",
                                       a.distribution().layout().mmax(), b.distribution().layout().mmax()));
}

template <class T>
std::vector<alm::SpectraTable> tables_of(const comm::Communicator& comm, const transform::AlmField<T>& a,
                                         const transform::AlmField<T>& b, std::span<const MapPair> maps) {
  check(a, b);
  const std::vector<Index> own_m = a.distribution().local_m(a.rank());
  const std::vector<Index> offsets_a = a.distribution().local_offsets(a.rank());
  const std::vector<Index> offsets_b = b.distribution().local_offsets(b.rank());
  const auto& layout_a = a.distribution().layout();
  const Index lmax = std::min(layout_a.lmax(), b.distribution().layout().lmax());
  const Index components = a.kind().components();
  const auto pairs = component_pairs(components);
  const auto all_a = transform::host_components(a);
  const auto all_b = transform::host_components(b);

  // [map][pair][l]
  const Index count = static_cast<Index>(maps.size() * pairs.size()) * (lmax + 1);
  const std::vector<double> sums = reproducible_sums(comm, count, layout_a.mmax() + 1, [&](auto&& add) {
    // With few spectra, several threads share the degrees of a spectrum. Otherwise one thread has all of them, because
    // long rows are read faster than short ones.
    const auto spectra = static_cast<Index>(maps.size() * pairs.size());
    const Index wanted = 4 * static_cast<Index>(omp_get_max_threads());
    const Index blocks = spectra < wanted ? wanted : 1;
    const Index degrees = (lmax + blocks) / blocks;
#pragma omp parallel for schedule(dynamic)
    for (Index n = 0; n < spectra * blocks; ++n) {
      const auto spectrum = static_cast<std::size_t>(n / blocks);
      const MapPair map = maps[spectrum / pairs.size()];
      const auto& [i, j] = pairs[spectrum % pairs.size()];
      const Coefficients<T> of_a{&all_a[static_cast<std::size_t>(map.a * components)], i, j, offsets_a};
      const Coefficients<T> of_b{&all_b[static_cast<std::size_t>(map.b * components)], i, j, offsets_b};
      const Index begin = n % blocks * degrees;
      visit_degrees(own_m, of_a, of_b, begin, std::min(begin + degrees, lmax + 1),
                    [&add, first = n / blocks * (lmax + 1)](Index l, double term) { add(first + l, term); });
    }
  });

  std::vector<alm::SpectraTable> tables(maps.size());
  std::size_t at = 0;
  const std::vector<std::string> names = spectra_names(a.kind());
  for (alm::SpectraTable& table : tables) {
    table.lmax = lmax;
    table.names = names;
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
      std::vector<double>& column = table.columns.emplace_back();
      for (Index l = 0; l <= lmax; ++l) column.push_back(sums[at++] / static_cast<double>(2 * l + 1));
    }
  }
  return tables;
}

}  // namespace

std::vector<std::string> spectra_names(const transform::FieldKind& kind) {
  const auto& names = kind.alm_names();
  std::vector<std::string> result;
  for (const auto& [i, j] : component_pairs(kind.components()))
    result.push_back(alm::spectrum_name(names[static_cast<std::size_t>(i)], names[static_cast<std::size_t>(j)]));
  return result;
}

template <class T>
alm::SpectraTable spectra(const comm::Communicator& comm, const transform::AlmField<T>& a,
                          const transform::AlmField<T>& b, Index map) {
  const MapPair pair[] = {{std::min(map, a.maps() - 1), std::min(map, b.maps() - 1)}};
  return std::move(tables_of<T>(comm, a, b, pair).front());
}

template <class T>
std::vector<alm::SpectraTable> spectra_of_maps(const comm::Communicator& comm, const transform::AlmField<T>& a,
                                               const transform::AlmField<T>& b) {
  if (a.maps() != b.maps() && a.maps() != 1 && b.maps() != 1)
    throw core::InputError(
        fmt::format("spectra: one field has {} maps, the other {}: use equal numbers, or a single map for one of them",
                    a.maps(), b.maps()));
  std::vector<MapPair> maps;
  for (Index map = 0; map < std::max(a.maps(), b.maps()); ++map)
    maps.push_back({a.maps() == 1 ? 0 : map, b.maps() == 1 ? 0 : map});
  return tables_of<T>(comm, a, b, maps);
}

ARMILLA_INSTANTIATE(spectra);

ARMILLA_INSTANTIATE(spectra_of_maps);

}  // namespace armilla::ops
