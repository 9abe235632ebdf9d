#include <armilla/core/error.hpp>
#include <armilla/ops/monopole.hpp>
#include <armilla/ops/reproducible_sum.hpp>

#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

// Weighted sum and total weight of the finite pixels of one component, calling add(0, ...) and add(1, ...).
template <class T, class Add>
void visit_pixels(const transform::MapField<T>& map, std::span<const T> values, Add&& add) {
  const dist::PixelDistribution& pixels = map.distribution();
  const std::vector<Index> rings = pixels.local_rings(map.rank());
  const std::vector<Index> begins = pixels.local_ring_pixels(map.rank());
  for (std::size_t slot = 0; slot < rings.size(); ++slot) {
    const grid::Ring& ring = pixels.grid().rings()[static_cast<std::size_t>(rings[slot])];
    const double area = ring.weight / static_cast<double>(ring.nphi);
    for (Index j = 0; j < ring.nphi; ++j) {
      const T value = values[static_cast<std::size_t>(begins[slot] + j)];
      if (!std::isfinite(value)) continue;
      add(0, area * static_cast<double>(value));
      add(1, area);
    }
  }
}

}  // namespace

template <class T>
void remove_monopole(const comm::Communicator& comm, transform::MapField<T>& map) {
  const grid::RingGrid& grid = map.distribution().grid();
  if (!grid.has_weights())
    throw core::InputError(fmt::format("grid {} has no weights, which a mean over the sky needs: {}",
                                       grid.description().text(),
                                       grid.description().is_whole() ? "give data set 'weight' [sr] in its rings file"
                                                                     : "it is a part of the sky, leave the mean in"));
  for (Index k = 0; k < map.maps(); ++k)
    for (const transform::FieldPart& part : map.kind().parts()) {
      if (part.spin != 0) continue;
      const std::span<T> values = map.component(k, part.first);
      const std::vector<double> sums = reproducible_sums(
          comm, 2, grid.npix(), [&](auto&& add) { visit_pixels(map, std::span<const T>(values), add); });
      if (sums[1] == 0) continue;  // no good pixel, nothing to subtract from
      const auto mean = static_cast<T>(sums[0] / sums[1]);
      for (T& value : values) value -= mean;
    }
}

template void remove_monopole<float>(const comm::Communicator&, transform::MapField<float>&);
template void remove_monopole<double>(const comm::Communicator&, transform::MapField<double>&);

}  // namespace armilla::ops
