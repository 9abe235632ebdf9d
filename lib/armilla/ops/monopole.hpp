#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

namespace armilla::ops {

/// Collective. Subtracts from each scalar component of each map its mean over the sky. The mean is over finite pixels
/// only, weighted by area (ring weight divided by the pixels of the ring). Non-finite pixels and components with spin
/// are unchanged. Bitwise identical on any number of ranks. Throws InputError if the grid has no weights.
template <class T>
void remove_monopole(const comm::Communicator& comm, transform::MapField<T>& map);

}  // namespace armilla::ops
