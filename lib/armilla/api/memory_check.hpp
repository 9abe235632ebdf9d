#pragma once

#include <armilla/api/names.hpp>

#include <string>

namespace armilla::api {

/// Memory of a transform on one rank [bytes].
struct TransformMemory {
  Index workspace = 0;  ///< of the transform itself
  Index fields = 0;     ///< of one field of coefficients and one of pixels
};

/// Bytes of fields above which they are refused without looking at the memory of the machine.
inline constexpr Index kMostBytes = Index{1} << 50;

/// Collective. Throws ResourceError on all ranks if the transform `what` does not fit into the memory of a node, for
/// all its ranks together, or not with its fields, which the process may hold already. Prints a warning once if threads
/// spin on a node with more threads than CPUs.
void check_machine(const Communicator& comm, const TransformMemory& memory, const std::string& what);

/// Collective. The limit of ARMILLA_MEMORY_LIMIT on the root, for all ranks. Throws InputError if it is not valid.
std::optional<Index> environment_limit(const Communicator& comm);

/// Not collective. Throws ResourceError if `bytes` for `what` exceed the memory available to this rank.
void check_own_memory(Index bytes, const std::string& what);

}  // namespace armilla::api
