#include <armilla/core/error.hpp>
#include <armilla/ops/norms.hpp>
#include <armilla/ops/reproducible_sum.hpp>

#include <algorithm>
#include <array>
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
  const auto first = [&](const transform::AlmField<T>& field) { return std::min(map, field.maps() - 1) * components; };
  const auto values = transform::host_components(value);
  const auto references = transform::host_components(reference);
  const auto orders = static_cast<Index>(own_m.size());
  const std::vector<double> sums =
      sums_over_rows<2>(comm, components, orders, layout.mmax() + 1, [&](Index c, Index order) {
        const auto v = values[static_cast<std::size_t>(first(value) + c)];
        const auto r = references[static_cast<std::size_t>(first(reference) + c)];
        const auto k = static_cast<std::size_t>(order);
        const double both_signs = own_m[k] == 0 ? 1.0 : 2.0;
        std::array<double, 2> squares{};
        for (Index l = own_m[k]; l <= layout.lmax(); ++l) {
          const auto i = static_cast<std::size_t>(offsets[k] + l);
          squares[0] += both_signs * std::norm(std::complex<double>(v[i]) - std::complex<double>(r[i]));
          squares[1] += both_signs * std::norm(std::complex<double>(r[i]));
        }
        return squares;
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
