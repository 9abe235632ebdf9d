#include <armilla/core/error.hpp>
#include <armilla/ops/norms.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/unit_scale.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <span>

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
  // Squares of tiny numbers vanish, those of huge ones overflow.
  std::vector<double> scales(static_cast<std::size_t>(components), 0.0);
  for (Index c = 0; c < components; ++c) {
    double& largest = scales[static_cast<std::size_t>(c)];
    for (const auto& each : {values[static_cast<std::size_t>(first(value) + c)],
                             references[static_cast<std::size_t>(first(reference) + c)]})
      for (const std::complex<T>& number : each)
        largest = std::max(
            {largest, std::abs(static_cast<double>(number.real())), std::abs(static_cast<double>(number.imag()))});
  }
  comm.max(std::span<double>(scales));
  for (double& scale : scales) scale = unit_scale(scale);
  const std::vector<double> sums =
      sums_over_rows<2>(comm, components, orders, layout.mmax() + 1, [&](Index c, Index order) {
        const auto v = values[static_cast<std::size_t>(first(value) + c)];
        const auto r = references[static_cast<std::size_t>(first(reference) + c)];
        const auto k = static_cast<std::size_t>(order);
        const double scale = scales[static_cast<std::size_t>(c)];
        const double both_signs = own_m[k] == 0 ? 1.0 : 2.0;
        std::array<double, 2> squares{};
        for (Index l = own_m[k]; l <= layout.lmax(); ++l) {
          const auto i = static_cast<std::size_t>(offsets[k] + l);
          squares[0] += both_signs * std::norm(scale * (std::complex<double>(v[i]) - std::complex<double>(r[i])));
          squares[1] += both_signs * std::norm(scale * std::complex<double>(r[i]));
        }
        return squares;
      });
  std::vector<double> errors;
  for (std::size_t c = 0; c < static_cast<std::size_t>(components); ++c) {
    const double norm = sums[2 * c + 1];
    const auto count = static_cast<double>(2 * layout.size() - (layout.lmax() + 1));
    errors.push_back(norm > 0 ? std::sqrt(sums[2 * c] / norm) : std::sqrt(sums[2 * c] / count) / scales[c]);
  }
  return errors;
}

template std::vector<double> relative_error<float>(const comm::Communicator&, const transform::AlmField<float>&,
                                                   const transform::AlmField<float>&, Index);
template std::vector<double> relative_error<double>(const comm::Communicator&, const transform::AlmField<double>&,
                                                    const transform::AlmField<double>&, Index);

}  // namespace armilla::ops
