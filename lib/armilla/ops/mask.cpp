#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/mask.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

namespace armilla::ops {

namespace {

void check_batch(Index mask_maps, Index maps) {
  if (mask_maps != 1 && mask_maps != maps)
    throw core::InputError(
        fmt::format("the mask is a batch of {} maps, but the field has {}: use one mask for all maps, or one per map",
                    mask_maps, maps));
}

/// Sets pixels to NaN where the mask is 0.
template <class T>
void mark_outside(transform::MapField<T>& map, const transform::MapField<T>& mask) {
  for (Index k = 0; k < map.maps(); ++k)
    for (Index c = 0; c < map.kind().components(); ++c) {
      const std::span<const T> factors =
          mask.component(mask.maps() == 1 ? 0 : k, mask.kind().components() == 1 ? 0 : c);
      const std::span<T> values = map.component(k, c);
      for (std::size_t p = 0; p < values.size(); ++p)
        if (factors[p] == T{0}) values[p] = std::numeric_limits<T>::quiet_NaN();
    }
}

}  // namespace

void check_mask(const transform::FieldKind& mask_kind, const grid::RingGrid& mask_grid,
                const transform::FieldKind& map_kind, const grid::RingGrid& map_grid) {
  if (!mask_grid.same_pixels(map_grid))
    throw core::InputError(fmt::format("is on {}, but the map is on {}: use a mask on the grid of the map",
                                       mask_grid.description().text(), map_grid.description().text()));
  if (mask_kind.components() != 1 && mask_kind.components() != map_kind.components())
    throw core::InputError(fmt::format(
        "has {} components, but the map has {}: use a mask with one component for all, or one per component",
        mask_kind.components(), map_kind.components()));
}

template <class T>
void apply_mask(transform::MapField<T>& map, const transform::MapField<T>& mask, Outside outside) {
  check_mask(mask.kind(), mask.distribution().grid(), map.kind(), map.distribution().grid());
  check_batch(mask.maps(), map.maps());
  const Index components = map.kind().components();
  const Index size = map.local_size();
  const std::shared_ptr<backend::Memory> memory = map.memory();
  const T* factors = mask.read(memory);
  T* values = map.update(memory);
  for (Index i = 0; i < map.maps() * components; ++i) {
    const Index k = mask.maps() == 1 ? 0 : i / components;
    const Index c = mask.kind().components() == 1 ? 0 : i % components;
    memory->ops<T>().mask(factors + (k * mask.kind().components() + c) * size, values + i * size, size);
  }
  if (outside == Outside::kBad) mark_outside(map, mask);
}

template <class T>
void find_good_pixels(const transform::MapField<T>& map, transform::MapField<T>& mask) {
  check_mask(mask.kind(), mask.distribution().grid(), map.kind(), map.distribution().grid());
  if (mask.kind().components() != 1 || mask.maps() != map.maps())
    throw core::InputError("the mask of good pixels of a batch must have one component and the same number of maps");
  for (Index k = 0; k < map.maps(); ++k) {
    const std::span<T> good = mask.component(k, 0);
    std::ranges::fill(good, T{1});
    for (Index c = 0; c < map.kind().components(); ++c) {
      const std::span<const T> values = map.component(k, c);
      for (std::size_t p = 0; p < good.size(); ++p)
        if (!std::isfinite(values[p])) good[p] = 0;
    }
  }
}

template <class T>
std::vector<Index> count_unmasked(const comm::Communicator& comm, const transform::MapField<T>& mask) {
  std::vector<Index> counts;
  for (Index k = 0; k < mask.maps(); ++k)
    for (Index c = 0; c < mask.kind().components(); ++c)
      counts.push_back(
          static_cast<Index>(std::ranges::count_if(mask.component(k, c), [](T value) { return value != T{0}; })));
  comm.sum(std::span<Index>(counts));
  return counts;
}

ARMILLA_INSTANTIATE(apply_mask);
ARMILLA_INSTANTIATE(find_good_pixels);
ARMILLA_INSTANTIATE(count_unmasked);

}  // namespace armilla::ops
