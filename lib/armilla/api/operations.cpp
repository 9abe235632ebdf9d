#include <armilla/api/access.hpp>
#include <armilla/api/operations.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/norms.hpp>
#include <armilla/ops/random_alm.hpp>
#include <armilla/ops/spectra.hpp>

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

ARMILLA_INSTANTIATE(random_alm);
ARMILLA_INSTANTIATE(spectra);
ARMILLA_INSTANTIATE(relative_error);

}  // namespace armilla
