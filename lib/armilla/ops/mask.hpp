#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <vector>

namespace armilla::ops {

using core::Index;

/// Not collective. Throws InputError if a mask of this kind and grid cannot be applied to maps, because it has another
/// grid, or because its number of components is neither one nor that of the map.
void check_mask(const transform::FieldKind& mask_kind, const grid::RingGrid& mask_grid,
                const transform::FieldKind& map_kind, const grid::RingGrid& map_grid);

/// Pixels of a masked map where the mask is 0: 0, or NaN, which marks bad pixels.
enum class Outside { kZero, kBad };

/// Not collective. Multiplies each pixel by that of the mask, in place. Where the mask is 0, the map becomes 0, even if
/// it is NaN there, or NaN. A mask has one component or the number of components of the map, and one map or the number
/// of maps of the batch. Computed in the memory that holds the map. Throws InputError if shapes do not match.
template <class T>
void apply_mask(transform::MapField<T>& map, const transform::MapField<T>& mask, Outside outside = Outside::kZero);

/// Not collective. The mask of good pixels: 1 if all components of the map are finite, 0 elsewhere. It has one
/// component and the same number of maps. Overwrites `mask`. Throws InputError if shapes do not match.
template <class T>
void find_good_pixels(const transform::MapField<T>& map, transform::MapField<T>& mask);

/// Collective. Number of non-zero pixels of a mask, over all ranks: [map][component].
template <class T>
std::vector<Index> count_unmasked(const comm::Communicator& comm, const transform::MapField<T>& mask);

}  // namespace armilla::ops
