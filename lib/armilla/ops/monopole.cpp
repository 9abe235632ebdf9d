#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/monopole.hpp>
#include <armilla/ops/reproducible_sum.hpp>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

// Collective. For each map, the weighted sum and the total weight of the finite pixels of one component, [map][2].
template <class T>
std::vector<double> weighted_sums(const comm::Communicator& comm, const transform::MapField<T>& map, Index component) {
  const dist::PixelDistribution& pixels = map.distribution();
  const std::vector<Index> rings = pixels.local_rings(map.rank());
  const std::vector<Index> begins = pixels.local_ring_pixels(map.rank());
  const auto values = transform::host_components(map);
  const auto all_rings = static_cast<Index>(pixels.grid().rings().size());
  return sums_over_rows<2>(comm, map.maps(), static_cast<Index>(rings.size()), all_rings, [&](Index k, Index number) {
    const auto slot = static_cast<std::size_t>(number);
    const grid::Ring& ring = pixels.grid().rings()[static_cast<std::size_t>(rings[slot])];
    const double area = ring.weight / static_cast<double>(ring.nphi);
    std::array<double, 2> sums{};
    for (const T value : values[static_cast<std::size_t>(k * map.kind().components() + component)].subspan(
             static_cast<std::size_t>(begins[slot]), static_cast<std::size_t>(ring.nphi))) {
      if (!std::isfinite(value)) continue;
      sums[0] += area * static_cast<double>(value);
      sums[1] += area;
    }
    return sums;
  });
}

}  // namespace

template <class T>
void remove_monopole(const comm::Communicator& comm, transform::MapField<T>& map) {
  const grid::RingGrid& grid = map.distribution().grid();
  if (!grid.has_weights())
    throw core::InputError(fmt::format(
        "grid {} has no quadrature weights, so the mean over the sky is undefined: {}", grid.description().text(),
        grid.description().is_whole() ? "write dataset 'weight' [sr] to its rings file"
                                      : "it covers only part of the sky, do not remove the mean"));
  for (const transform::SpinField& spin_field : map.kind().spin_fields()) {
    if (spin_field.spin != 0) continue;
    const std::vector<double> sums = weighted_sums(comm, std::as_const(map), spin_field.first);
    for (Index k = 0; k < map.maps(); ++k) {
      const double weight = sums[static_cast<std::size_t>(2 * k + 1)];
      if (weight == 0) continue;  // no good pixels
      const auto mean = static_cast<T>(sums[static_cast<std::size_t>(2 * k)] / weight);
      for (T& value : map.component(k, spin_field.first)) value -= mean;
    }
  }
}

ARMILLA_INSTANTIATE(remove_monopole);

}  // namespace armilla::ops
