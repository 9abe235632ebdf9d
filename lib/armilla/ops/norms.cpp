#include <armilla/core/error.hpp>
#include <armilla/ops/norms.hpp>
#include <armilla/ops/reproducible_sum.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

namespace armilla::ops {

template <class T>
std::vector<double> relative_error(const comm::Communicator& comm, const transform::AlmField<T>& value,
                                   const transform::AlmField<T>& reference, Index map) {
  const auto& layout = value.distribution().layout();
  if (!(value.kind() == reference.kind()) || !(layout == reference.distribution().layout()) ||
      (value.maps() != reference.maps() && value.maps() != 1 && reference.maps() != 1))
    throw core::InputError("compare: the two alm differ in lmax, mmax or kind: give two of equal layout");
  const std::vector<Index> own_m = value.distribution().local_m(value.rank());
  const std::vector<Index> offsets = value.distribution().local_offsets(value.rank());
  const Index components = value.kind().components();
  const std::vector<double> sums = reproducible_sums(comm, 2 * components, 2 * layout.size(), [&](auto&& add) {
    for (Index c = 0; c < components; ++c) {
      const auto v = value.component(std::min(map, value.maps() - 1), c);
      const auto r = reference.component(std::min(map, reference.maps() - 1), c);
      for (std::size_t k = 0; k < own_m.size(); ++k)
        for (Index l = own_m[k]; l <= layout.lmax(); ++l) {
          const auto i = static_cast<std::size_t>(offsets[k] + l);
          const double both_signs = own_m[k] == 0 ? 1.0 : 2.0;
          add(2 * c, both_signs * std::norm(std::complex<double>(v[i]) - std::complex<double>(r[i])));
          add(2 * c + 1, both_signs * std::norm(std::complex<double>(r[i])));
        }
    }
  });
  std::vector<double> errors;
  for (std::size_t c = 0; c < static_cast<std::size_t>(components); ++c) {
    const double norm = sums[2 * c + 1];
    const auto count = static_cast<double>(2 * layout.size() - (layout.lmax() + 1));
    errors.push_back(norm > 0 ? std::sqrt(sums[2 * c] / norm) : std::sqrt(sums[2 * c] / count));
  }
  return errors;
}

template std::vector<double> relative_error<float>(const comm::Communicator&, const transform::AlmField<float>&,
                                                   const transform::AlmField<float>&, Index);
template std::vector<double> relative_error<double>(const comm::Communicator&, const transform::AlmField<double>&,
                                                    const transform::AlmField<double>&, Index);

}  // namespace armilla::ops
