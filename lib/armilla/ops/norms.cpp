#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/norms.hpp>
#include <armilla/ops/reproducible_sum.hpp>
#include <armilla/ops/unit_scale.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::ops {

namespace {

/// The rounding errors of coordinates in degrees, or of coordinates in text files, are far smaller.
constexpr double kSamePoint = 1e-9;

}  // namespace

void check_same_points(const points::LocalPoints& own, const points::LocalPoints& other) {
  if (own.size() != other.size())
    throw core::InputError(fmt::format("the two have {} and {} points on this rank: use values of the same catalogue",
                                       own.size(), other.size()));
  for (std::size_t i = 0; i < own.theta.size(); ++i) {
    const double east = std::sin(own.theta[i]) * std::remainder(own.phi[i] - other.phi[i], 2 * core::kPi);
    const double apart = std::hypot(own.theta[i] - other.theta[i], east);
    if (!(apart <= kSamePoint))
      throw core::InputError(fmt::format("point {} differs in position by {:.3g} rad: use values of the same catalogue",
                                         own.first + static_cast<Index>(i), apart));
  }
}

template <class T>
std::vector<double> relative_error(const comm::Communicator& comm, const transform::AlmField<T>& value,
                                   const transform::AlmField<T>& reference, Index map) {
  const auto& layout = value.distribution().layout();
  if (!(value.kind() == reference.kind()) || !(layout == reference.distribution().layout()) ||
      (value.maps() != reference.maps() && value.maps() != 1 && reference.maps() != 1))
    throw core::InputError(fmt::format(
        "compare: the two alm have lmax {}, mmax {}, fields {}, {} maps and lmax {}, mmax {}, fields {}, {} maps: use "
        "alm "
        "with the same",
        value.distribution().layout().lmax(), value.distribution().layout().mmax(),
        fmt::join(value.kind().alm_names(), " "), value.maps(), reference.distribution().layout().lmax(),
        reference.distribution().layout().mmax(), fmt::join(reference.kind().alm_names(), " "), reference.maps()));
  const std::vector<Index> own_m = value.distribution().local_m(value.rank());
  const std::vector<Index> offsets = value.distribution().local_offsets(value.rank());
  const Index components = value.kind().components();
  const auto first = [&](const transform::AlmField<T>& field) { return std::min(map, field.maps() - 1) * components; };
  const auto values = transform::host_components(value);
  const auto references = transform::host_components(reference);
  const auto orders = static_cast<Index>(own_m.size());
  // Scaling prevents underflow and overflow of the squares.
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

template <class T>
std::vector<ValueDifference> value_differences(const comm::Communicator& comm, const points::PointField<T>& value,
                                               const points::PointField<T>& reference, Index map) {
  Index points = value.local_size();
  comm::phase(comm, [&] {
    if (!(value.kind() == reference.kind()))
      throw core::InputError("the two have different fields: compare values of the same fields");
    if (value.points() != reference.points()) check_same_points(*value.points(), *reference.points());
  });
  comm.sum({&points, 1});
  const auto components = static_cast<std::size_t>(value.kind().components());
  const auto of = [&](const points::PointField<T>& field, std::size_t c) {
    return field.component(std::min(map, field.maps() - 1), static_cast<Index>(c));
  };
  // [component][difference, reference]. Scaling by these prevents underflow and overflow of the squares.
  std::vector<double> largest(2 * components, 0.0);
  for (std::size_t c = 0; c < components; ++c)
    for (std::size_t i = 0; i < of(value, c).size(); ++i) {
      const auto x = static_cast<double>(of(value, c)[i]), y = static_cast<double>(of(reference, c)[i]);
      largest[2 * c] = std::max(largest[2 * c], std::abs(x - y));
      largest[2 * c + 1] = std::max(largest[2 * c + 1], std::abs(y));
    }
  comm.max(std::span<double>(largest));
  std::vector<double> scales;
  for (std::size_t c = 0; c < components; ++c)
    scales.push_back(unit_scale(std::max(largest[2 * c], largest[2 * c + 1])));
  const std::vector<double> sums = reproducible_sums(comm, static_cast<Index>(2 * components), points, [&](auto&& add) {
    for (std::size_t c = 0; c < components; ++c)
      for (std::size_t i = 0; i < of(value, c).size(); ++i) {
        const double x = scales[c] * static_cast<double>(of(value, c)[i]);
        const double y = scales[c] * static_cast<double>(of(reference, c)[i]);
        add(static_cast<Index>(2 * c), (x - y) * (x - y));
        add(static_cast<Index>(2 * c + 1), y * y);
      }
  });
  std::vector<ValueDifference> differences;
  for (std::size_t c = 0; c < components; ++c) {
    const double norm = sums[2 * c + 1];
    const double rms = norm > 0 ? std::sqrt(sums[2 * c] / norm)
                                : std::sqrt(sums[2 * c] / static_cast<double>(std::max<Index>(points, 1))) / scales[c];
    differences.push_back({rms, largest[2 * c]});
  }
  return differences;
}

ARMILLA_INSTANTIATE(value_differences);
ARMILLA_INSTANTIATE(relative_error);

}  // namespace armilla::ops
