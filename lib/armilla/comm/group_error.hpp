#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>

#include <optional>

namespace armilla::comm {

/// Collective. agree() for failures of groups of ranks, whose ranks have already agreed. An InputError does not name
/// the rank, because it is about the maps of the group.
void agree_of_groups(const Communicator& comm, const std::optional<core::CaughtError>& failure);

}  // namespace armilla::comm
