#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/job/run/sample_checks.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

/// Largest rounding error of numbers in a file, relative to the largest number.
double rounding_error(core::Precision stored) { return stored == core::Precision::kSingle ? 1e-5 : 1e-10; }

/// Largest rounding error of a longitude that repeats another, relative to the largest value of a ring.
double rounding_of_values(core::Precision stored) { return stored == core::Precision::kSingle ? 1e-6 : 1e-12; }

/// Largest range of a field at a pole, relative to its rms.
constexpr double kPoleTolerance = 1e-4;

/// Number of maxima over ranks for one map of a value; the same on all ranks.
std::size_t maxima_of(const ValueInfo& info) {
  if (info.sort == ValueSort::kAlm) return info.kind.spin_fields().size();
  if (info.sort == ValueSort::kMap && ops::has_pole_rings(info.pixels->grid()))
    return 2 * info.kind.spin_fields().size();
  return 0;
}

/// "T", or "Q, U".
std::string names_of(const transform::SpinField& spin_field, const std::vector<std::string>& names) {
  const auto first = names.begin() + spin_field.first;
  return fmt::format("{}", fmt::join(first, first + spin_field.components, ", "));
}

template <class T>
std::string pole_warning(const transform::MapField<T>& map, const std::vector<double>& ranges,
                         const std::vector<double>& rms, const std::string& source) {
  const auto spin_fields = map.kind().spin_fields();
  const std::string rings[] = {"ring 0 (north pole)",
                               fmt::format("ring {} (south pole)", map.distribution().grid().rings().size() - 1)};
  std::vector<std::string> found;
  bool has_scalar = false, has_pair = false;
  for (std::size_t i = 0; i < spin_fields.size(); ++i)
    for (std::size_t pole = 0; pole < 2; ++pole) {
      const double ratio = rms[i] > 0 ? ranges[pole * spin_fields.size() + i] / rms[i] : 0;
      if (!(ratio > kPoleTolerance)) continue;
      (spin_fields[i].spin == 0 ? has_scalar : has_pair) = true;
      found.push_back(fmt::format("{} on {} by {:.2g} of {}", names_of(spin_fields[i], map.kind().map_names()),
                                  rings[pole], ratio, spin_fields[i].components > 1 ? "their rms" : "its rms"));
    }
  if (found.empty()) return "";
  return fmt::format(
      "{} has values at a pole that no field has, with errors: {}.{}{} Correct these rings, or use a grid without them",
      source, fmt::join(found, "; "), has_scalar ? " A scalar has a single value at a pole." : "",
      has_pair ? " The components of a vector or of polarisation at a pole turn with longitude." : "");
}

/// The content for writing; a copy of that of the caller.
template <class Field, class T>
Field& own_field(Value<T>& value) {
  if (Field* own = value.template find_own<Field>()) return *own;
  auto copy =
      std::make_shared<Field>(value.template get<Field>().kind(), value.template get<Field>().shared_distribution(),
                              value.template get<Field>().rank(), value.template get<Field>().maps());
  std::ranges::copy(value.template get<Field>().data(), copy->data().begin());
  value = Value<T>(std::move(copy));
  return *value.template find_own<Field>();
}

}  // namespace

std::string imaginary_warning(const transform::FieldKind& kind, std::span<const double> imaginary,
                              std::span<const double> largest, core::Precision stored, const std::string& source) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < imaginary.size(); ++i)
    if (imaginary[i] > rounding_error(stored) * largest[i])
      found.push_back(
          fmt::format("up to {:.3g} in {}", imaginary[i], names_of(kind.spin_fields()[i], kind.alm_names())));
  if (found.empty()) return "";
  return fmt::format("{} has coefficients a_l0 with imaginary parts, {}, which no real field has: they are set to 0",
                     source, fmt::join(found, ", "));
}

template <class T>
OddSamples find_odd_samples(const Value<T>& value, Index place, core::Precision stored) {
  if (const auto* map = value.template find<transform::MapField<T>>())
    return {ops::find_repeated_longitude(*map, place, rounding_of_values(std::min(stored, core::kPrecisionOf<T>))),
            ops::has_pole_rings(map->distribution().grid()) ? ops::pole_ranges(*map, place) : std::vector<double>()};
  if (const auto* alm = value.template find<transform::AlmField<T>>())
    return {.largest = ops::largest_imaginary_m0(*alm, place)};
  return {};
}

void join_odd_samples(const comm::Communicator& comm, const ValueInfo& info, std::span<OddSamples* const> maps) {
  const std::size_t size = maxima_of(info);
  std::vector<Index> sums;
  std::vector<double> maxima;
  if (info.sort == ValueSort::kMap)
    for (const OddSamples* map : maps) sums.insert(sums.end(), {map->repeated.other, map->repeated.telling});
  for (const OddSamples* map : maps) {
    maxima.insert(maxima.end(), map->largest.begin(), map->largest.end());
    maxima.resize(maxima.size() + size - map->largest.size());  // a rank that could not read it has found nothing
  }
  if (!sums.empty()) comm.sum(std::span<Index>(sums));
  if (!maxima.empty()) comm.max(std::span<double>(maxima));
  for (std::size_t i = 0; i < maps.size(); ++i) {
    if (!sums.empty()) maps[i]->repeated = {sums[2 * i], sums[2 * i + 1]};
    const auto first = maxima.begin() + static_cast<std::ptrdiff_t>(i * size);
    maps[i]->largest.assign(first, first + static_cast<std::ptrdiff_t>(size));
  }
}

template <class T>
std::optional<std::string> settle_odd_samples(const comm::Communicator& comm, const OddSamples& samples,
                                              core::Precision stored, const std::string& source, Value<T>& value,
                                              Index place) {
  if (!samples.may_need_settling()) return std::nullopt;
  std::string warning;
  if (const auto* map = value.template find<transform::MapField<T>>()) {
    warning = pole_warning(*map, samples.largest, ops::field_rms(comm, *map, place), source);
  } else if (const auto* alm = value.template find<transform::AlmField<T>>()) {
    std::vector<double> largest;
    comm::phase(comm, [&] { largest = ops::largest_coefficients(*alm, place); });
    comm.max(std::span<double>(largest));
    warning = imaginary_warning(alm->kind(), samples.largest, largest, std::min(stored, core::kPrecisionOf<T>), source);
    comm::phase(comm, [&] {
      const auto own = ops::largest_imaginary_m0(*alm, place);
      if (!warning.empty() && std::ranges::any_of(own, [](double number) { return number > 0; }))
        ops::drop_imaginary_m0(own_field<transform::AlmField<T>>(value), place);
    });
  }
  return warning.empty() ? std::nullopt : std::optional(warning);
}

ARMILLA_INSTANTIATE(find_odd_samples);
ARMILLA_INSTANTIATE(settle_odd_samples);

}  // namespace armilla::job
