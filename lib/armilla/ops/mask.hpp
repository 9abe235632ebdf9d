#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <vector>

namespace armilla::ops {

using core::Index;

/// Throws InputError if a mask of this kind and grid cannot lie on maps: it has another grid, or neither one
/// component nor as many as the map. Not collective.
void check_mask(const transform::FieldKind& mask_kind, const grid::RingGrid& mask_grid,
                const transform::FieldKind& map_kind, const grid::RingGrid& map_grid);

/// Multiplies each pixel by that of the mask, in place; where the mask is 0, the map becomes 0 even if it is not a
/// number there. A mask has one component, which serves all of the map, or as many; and one map, which serves the whole
/// batch, or as many. Done where the map stands. Not collective. Throws InputError if shapes do not match.
template <class T>
void apply_mask(transform::MapField<T>& map, const transform::MapField<T>& mask);

/// The mask of good pixels: 1 if all components of the map are finite numbers, 0 elsewhere; one component, as many
/// maps. Overwrites `mask`. Not collective. Throws InputError if shapes do not match.
template <class T>
void find_good_pixels(const transform::MapField<T>& map, transform::MapField<T>& mask);

/// Collective. How many pixels of a mask are not 0, over all ranks: [map][component].
template <class T>
std::vector<Index> count_unmasked(const comm::Communicator& comm, const transform::MapField<T>& mask);

}  // namespace armilla::ops
