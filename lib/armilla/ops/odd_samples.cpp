#include <armilla/core/instantiate.hpp>
#include <armilla/ops/odd_samples.hpp>
#include <armilla/ops/reproducible_sum.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <utility>

namespace armilla::ops {

namespace {

using core::at;

/// Far below the sine of the colatitude of any ring that is not meant to be a pole.
constexpr double kPoleSine = 1e-9;

/// The pixels of the own ring `slot` of a component.
template <class T>
std::span<const T> ring_values(const transform::MapField<T>& map, Index place, Index component, Index begin,
                               const grid::Ring& ring) {
  return map.component(place, component).subspan(at(begin), at(ring.nphi));
}

/// The largest |value| of a ring; NaN is ignored.
template <class T>
T largest_value(std::span<const T> values) {
  T largest = 0;
  for (const T value : values) largest = std::max(largest, std::isfinite(value) ? std::abs(value) : T(0));
  return largest;
}

/// Equal except for a rounding error, or both missing.
template <class T>
bool are_equal(T a, T b, T error) {
  return std::abs(a - b) <= error || (std::isnan(a) && std::isnan(b));
}

/// Whether the first and the last pixel are the only equal neighbours of a ring. Rings of fewer than 5 pixels, and
/// rings that are symmetric about the meridian between the two, tell nothing.
template <class T>
bool only_ends_meet(std::span<const T> values, T error) {
  constexpr T kSymmetric = 1e-6F;
  if (values.size() < 5) return false;
  const T second = values[1], last_but_one = values[values.size() - 2];
  if (!(std::abs(second - last_but_one) > kSymmetric * largest_value(values))) return false;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (are_equal(values[i - 1], values[i], error)) return false;
  return true;
}

/// The range of the values of a ring at a pole; std::nullopt if any is not finite.
template <class T>
std::optional<double> range_of(const transform::MapField<T>& map, Index place, const transform::SpinField& spin_field,
                               Index begin, const grid::Ring& ring, int sign) {
  const std::span<const T> real = ring_values(map, place, spin_field.first, begin, ring);
  std::span<const T> imaginary;
  if (spin_field.components == 2) imaginary = ring_values(map, place, spin_field.first + 1, begin, ring);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::complex<double> least{kInfinity, kInfinity}, most{-kInfinity, -kInfinity};
  for (std::size_t j = 0; j < real.size(); ++j) {
    std::complex<double> value{static_cast<double>(real[j]),
                               imaginary.empty() ? 0.0 : static_cast<double>(imaginary[j])};
    if (!std::isfinite(value.real()) || !std::isfinite(value.imag())) return std::nullopt;
    if (spin_field.spin > 0) {
      const double phi = ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi);
      value *= std::polar(1.0, sign * static_cast<double>(spin_field.spin) * phi);
    }
    least = {std::min(least.real(), value.real()), std::min(least.imag(), value.imag())};
    most = {std::max(most.real(), value.real()), std::max(most.imag(), value.imag())};
  }
  return std::max(most.real() - least.real(), most.imag() - least.imag());
}

template <class T, class Part>
double largest_of(std::span<const std::complex<T>> numbers, Part part) {
  T largest = 0;
  for (const std::complex<T>& number : numbers) largest = std::max(largest, part(number));
  return static_cast<double>(largest);
}

/// Calls work(coefficients of m = 0, l = 0 .. lmax) for the own components first .. first + components - 1.
template <class Field, class Work>
void visit_m0(Field& alm, Index place, Index first, Index components, Work work) {
  const std::vector<Index> own = alm.distribution().local_m(alm.rank());
  if (own.empty() || own.front() != 0) return;
  const Index begin = alm.distribution().local_offsets(alm.rank()).front();
  for (Index c = first; c < first + components; ++c)
    work(alm.component(place, c).subspan(at(begin), at(alm.distribution().layout().lmax() + 1)));
}

}  // namespace

template <class T>
RepeatedLongitude find_repeated_longitude(const transform::MapField<T>& map, Index place, double rounding) {
  RepeatedLongitude found;
  const dist::PixelDistribution& pixels = map.distribution();
  if (pixels.grid().description().kind == "healpix") return found;
  const std::vector<Index> rings = pixels.local_rings(map.rank());
  const std::vector<Index> begins = pixels.local_ring_pixels(map.rank());
  for (std::size_t slot = 0; slot < rings.size(); ++slot) {
    const grid::Ring& ring = pixels.grid().rings()[at(rings[slot])];
    if (ring.nphi < 2) continue;
    bool tells = false;
    for (Index c = 0; c < map.kind().components(); ++c) {
      const std::span<const T> values = ring_values(map, place, c, begins[slot], ring);
      const T error = static_cast<T>(rounding) * largest_value(values);
      if (!are_equal(values.front(), values.back(), error)) return {1, 0};
      tells = tells || only_ends_meet(values, error);
    }
    if (tells) ++found.telling;
  }
  return found;
}

bool has_pole_rings(const grid::RingGrid& grid) {
  return grid.rings().front().sin_theta < kPoleSine || grid.rings().back().sin_theta < kPoleSine;
}

template <class T>
std::vector<double> pole_ranges(const transform::MapField<T>& map, Index place) {
  const std::span<const transform::SpinField> spin_fields = map.kind().spin_fields();
  std::vector<double> ranges(2 * spin_fields.size(), 0.0);
  const dist::PixelDistribution& pixels = map.distribution();
  const std::vector<Index> rings = pixels.local_rings(map.rank());
  const std::vector<Index> begins = pixels.local_ring_pixels(map.rank());
  for (std::size_t slot = 0; slot < rings.size(); ++slot) {
    const grid::Ring& ring = pixels.grid().rings()[at(rings[slot])];
    if (ring.sin_theta >= kPoleSine) continue;
    const bool is_north = ring.cos_theta > 0;
    for (std::size_t i = 0; i < spin_fields.size(); ++i)
      ranges[(is_north ? 0 : spin_fields.size()) + i] =
          range_of(map, place, spin_fields[i], begins[slot], ring, is_north ? 1 : -1).value_or(0.0);
  }
  return ranges;
}

template <class T>
std::vector<double> field_rms(const comm::Communicator& comm, const transform::MapField<T>& map, Index place) {
  const dist::PixelDistribution& pixels = map.distribution();
  const std::vector<Index> rings = pixels.local_rings(map.rank());
  const std::vector<Index> begins = pixels.local_ring_pixels(map.rank());
  const std::span<const transform::SpinField> spin_fields = map.kind().spin_fields();
  const auto all_rings = static_cast<Index>(pixels.grid().rings().size());
  const auto values = transform::host_components(map);
  const std::vector<double> sums =
      sums_over_rows<2>(comm, static_cast<Index>(spin_fields.size()), static_cast<Index>(rings.size()), all_rings,
                        [&](Index field, Index number) {
                          const grid::Ring& ring = pixels.grid().rings()[at(rings[at(number)])];
                          const transform::SpinField& spin_field = spin_fields[at(field)];
                          const double area = ring.sin_theta / static_cast<double>(ring.nphi);
                          std::array<double, 2> sum{};
                          for (Index c = spin_field.first; c < spin_field.first + spin_field.components; ++c)
                            for (const T value : values[at(place * map.kind().components() + c)].subspan(
                                     at(begins[at(number)]), at(ring.nphi))) {
                              if (!std::isfinite(value)) continue;
                              sum[0] += area * static_cast<double>(value) * static_cast<double>(value);
                              sum[1] += area / static_cast<double>(spin_field.components);
                            }
                          return sum;
                        });
  std::vector<double> rms;
  for (std::size_t i = 0; i < sums.size(); i += 2)
    rms.push_back(sums[i + 1] > 0 ? std::sqrt(sums[i] / sums[i + 1]) : 0);
  return rms;
}

template <class T>
std::vector<double> largest_imaginary_m0(const transform::AlmField<T>& alm, Index place) {
  std::vector<double> largest;
  for (const transform::SpinField& spin_field : alm.kind().spin_fields()) {
    double& own = largest.emplace_back(0.0);
    visit_m0(alm, place, spin_field.first, spin_field.components, [&](std::span<const std::complex<T>> numbers) {
      own = std::max(own, largest_of(numbers, [](const std::complex<T>& a) { return std::abs(a.imag()); }));
    });
  }
  return largest;
}

template <class T>
std::vector<double> largest_coefficients(const transform::AlmField<T>& alm, Index place) {
  std::vector<double> largest;
  for (const transform::SpinField& spin_field : alm.kind().spin_fields()) {
    double& own = largest.emplace_back(0.0);
    for (Index c = spin_field.first; c < spin_field.first + spin_field.components; ++c)
      own = std::max(own, largest_of(alm.component(place, c), [](const std::complex<T>& a) {
                       return std::max(std::abs(a.real()), std::abs(a.imag()));
                     }));
  }
  return largest;
}

template <class T>
void drop_imaginary_m0(transform::AlmField<T>& alm, Index place) {
  visit_m0(alm, place, 0, alm.kind().components(), [](std::span<std::complex<T>> numbers) {
    for (std::complex<T>& number : numbers) number.imag(T(0));
  });
}

ARMILLA_INSTANTIATE(find_repeated_longitude);
ARMILLA_INSTANTIATE(pole_ranges);
ARMILLA_INSTANTIATE(field_rms);
ARMILLA_INSTANTIATE(largest_imaginary_m0);
ARMILLA_INSTANTIATE(largest_coefficients);
ARMILLA_INSTANTIATE(drop_imaginary_m0);

}  // namespace armilla::ops
