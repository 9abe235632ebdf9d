#include <armilla/api/access.hpp>
#include <armilla/api/operations.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/norms.hpp>
#include <armilla/ops/random_alm.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>
#include <armilla/ops/spectra.hpp>

#include <array>

#include <fmt/format.h>

namespace armilla {

using api::Access;

template <class T>
void random_alm(Alm<T>& field, const SpectraTable& spectra, std::uint64_t seed, Index first_map) {
  spectra.check();
  ops::random_alm(Access::field(field), spectra, seed, first_map);
}

template <class T>
SpectraTable spectra(const Alm<T>& field, Index map) {
  api::fetch(field, map);
  return ops::spectra(Access::comm(field), Access::field(field), Access::field(field), map);
}

template <class T>
std::vector<double> relative_error(const Alm<T>& value, const Alm<T>& reference, Index map) {
  comm::phase(Access::comm(value), [&] {
    if (value.distribution().ranks() != reference.distribution().ranks() || value.rank() != reference.rank())
      throw InputError("the two fields are distributed over different ranks");
  });
  api::fetch(value, map);
  api::fetch(reference, map);
  return ops::relative_error(Access::comm(value), Access::field(value), Access::field(reference), map);
}

namespace {

// Collective.
template <class Field>
void check_pair(const Field& a, const Field& b) {
  comm::phase(Access::comm(a), [&] {
    api::check_field(Access::comm(a), a.fields(), a.maps(), b, "second field");
    static_cast<void>(a.data());  // copies from a device may fail
    static_cast<void>(b.data());
  });
}

}  // namespace

template <class T>
std::vector<double> inner_products(const Alm<T>& a, const Alm<T>& b) {
  check_pair(a, b);
  comm::phase(Access::comm(a), [&] { api::check_alm(Access::comm(a), a.fields(), a.maps(), a.layout(), b); });
  const std::vector<double> systems = ops::inner_products(Access::comm(a), Access::field(a), Access::field(b));
  const std::size_t of_map = systems.size() / core::at(a.maps());
  std::vector<double> products(core::at(a.maps()), 0.0);
  for (std::size_t i = 0; i < systems.size(); ++i) products[i / of_map] += systems[i];
  return products;
}

template <class T>
std::vector<double> inner_products(const Map<T>& a, const Map<T>& b) {
  check_pair(a, b);
  comm::phase(Access::comm(a), [&] {
    if (!a.grid().same_pixels(b.grid()))
      throw InputError(fmt::format("the maps are on {} and {}: use maps on one grid", a.grid().description().text(),
                                   b.grid().description().text()));
  });
  const std::span<const LocalRing> rings = a.rings();
  const Index components = a.fields().components();
  return ops::sums_over_rows<1>(Access::comm(a), a.maps(), static_cast<Index>(rings.size()),
                                static_cast<Index>(a.grid().rings().size()), [&](Index map, Index ring) {
                                  double sum = 0;
                                  for (Index c = 0; c < components; ++c) {
                                    const std::span<const T> x = a.of_ring(rings[core::at(ring)], c, map);
                                    const std::span<const T> y = b.of_ring(rings[core::at(ring)], c, map);
                                    for (std::size_t j = 0; j < x.size(); ++j)
                                      sum += static_cast<double>(x[j]) * static_cast<double>(y[j]);
                                  }
                                  return std::array{sum};
                                });
}

template std::vector<double> inner_products(const Alm<float>&, const Alm<float>&);
template std::vector<double> inner_products(const Alm<double>&, const Alm<double>&);
template std::vector<double> inner_products(const Map<float>&, const Map<float>&);
template std::vector<double> inner_products(const Map<double>&, const Map<double>&);
ARMILLA_INSTANTIATE(random_alm);
ARMILLA_INSTANTIATE(spectra);
ARMILLA_INSTANTIATE(relative_error);

}  // namespace armilla
