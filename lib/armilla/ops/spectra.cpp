#include <armilla/core/error.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/spectra.hpp>

#include <algorithm>
#include <utility>

namespace armilla::ops {

namespace {

// Auto spectra first, then TE EB TB: neighbours before the pair of first and last.
std::vector<std::pair<Index, Index>> component_pairs(Index components) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index distance = 0; distance < components; ++distance)
    for (Index i = 0; i + distance < components; ++i) pairs.emplace_back(i, i + distance);
  return pairs;
}

}  // namespace

template <class T>
alm::SpectraTable spectra(const comm::Communicator& comm, const transform::AlmField<T>& a,
                          const transform::AlmField<T>& b, Index map) {
  if (!(a.kind() == b.kind()))
    throw core::InputError("spectra: the two fields are of different kinds: give two of equal components");
  const auto& layout_a = a.distribution().layout();
  const auto& layout_b = b.distribution().layout();
  if (layout_a.mmax() != layout_b.mmax())  // owners of m follow from mmax
    throw core::InputError("spectra: the two fields differ in mmax: give two of equal mmax");
  const std::vector<Index> own_m = a.distribution().local_m(a.rank());
  const std::vector<Index> offsets_a = a.distribution().local_offsets(a.rank());
  const std::vector<Index> offsets_b = b.distribution().local_offsets(b.rank());

  alm::SpectraTable table;
  table.lmax = std::min(layout_a.lmax(), layout_b.lmax());
  for (const auto& [i, j] : component_pairs(a.kind().components())) {
    const auto ai = a.component(std::min(map, a.maps() - 1), i);
    const auto aj = a.component(std::min(map, a.maps() - 1), j);
    const auto bi = b.component(std::min(map, b.maps() - 1), i);
    const auto bj = b.component(std::min(map, b.maps() - 1), j);
    const auto product = [](std::complex<T> x, std::complex<T> y) {
      return static_cast<double>(x.real()) * static_cast<double>(y.real()) +
             static_cast<double>(x.imag()) * static_cast<double>(y.imag());
    };
    std::vector<double> sums = reproducible_sums(comm, table.lmax + 1, layout_a.mmax() + 1, [&](auto&& add) {
      for (std::size_t k = 0; k < own_m.size(); ++k) {
        const double both_signs = own_m[k] == 0 ? 1.0 : 2.0;  // m and -m
        for (Index l = own_m[k]; l <= table.lmax; ++l) {
          const auto at_a = static_cast<std::size_t>(offsets_a[k] + l);
          const auto at_b = static_cast<std::size_t>(offsets_b[k] + l);
          add(l, both_signs * 0.5 * (product(ai[at_a], bj[at_b]) + product(aj[at_a], bi[at_b])));
        }
      }
    });
    for (Index l = 0; l <= table.lmax; ++l) sums[static_cast<std::size_t>(l)] /= static_cast<double>(2 * l + 1);
    const auto& names = a.kind().alm_names();
    table.names.push_back(alm::spectrum_name(names[static_cast<std::size_t>(i)], names[static_cast<std::size_t>(j)]));
    table.columns.push_back(std::move(sums));
  }
  return table;
}

template alm::SpectraTable spectra<float>(const comm::Communicator&, const transform::AlmField<float>&,
                                          const transform::AlmField<float>&, Index);
template alm::SpectraTable spectra<double>(const comm::Communicator&, const transform::AlmField<double>&,
                                           const transform::AlmField<double>&, Index);

}  // namespace armilla::ops
