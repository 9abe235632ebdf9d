#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

namespace armilla::ops {

/// Collective. Subtracts from each scalar component of each map its mean over the sky, taken over finite pixels only,
/// by area (ring weight over pixels of the ring); pixels that are not finite numbers stay as they are, and so do the
/// components of spins. The same bit for bit on any number of ranks. Throws InputError if the grid has no weights.
template <class T>
void remove_monopole(const comm::Communicator& comm, transform::MapField<T>& map);

}  // namespace armilla::ops
