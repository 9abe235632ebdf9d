#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>

#include <functional>
#include <optional>

namespace armilla::transform {

using core::Index;

/// Collective. The device of this rank, and the number of ranks that share it (backend::place_rank); Placement() for a
/// backend without devices. Once all ranks see devices, the result is kept with the communicator and its groups, which
/// therefore count all ranks. A group for which nothing was kept when it was made by split() assumes that the other
/// ranks of the machine see the devices of this rank.
backend::Placement placement(const comm::Communicator& comm, backend::Kind kind);

/// Collective. Bytes that each rank may use of its device, determined by the rank with the least. kNoDevice if the
/// backend has no device, or cannot be used here, for example in a dry run on another machine.
Index device_room(const comm::Communicator& comm, backend::Kind kind);

/// The largest workspace for each part of a stage that fits if a rank may use `room` bytes of its device, at least
/// `min_work`; std::nullopt if `min_work` does not fit. `total`: all bytes on the device with such a workspace.
std::optional<Index> largest_device_work(Index room, Index min_work,
                                         const std::function<Index(Index work_bytes)>& total);

/// Collective. The minimum over ranks of largest_device_work(), each with its own arguments, but at least `min_work`.
/// The result is the same on all ranks with the same `min_work`. Throws ResourceError with the parts of `too_small` if
/// a rank has no solution. Call before any allocation on devices, which ranks may share.
Index choose_device_work(const comm::Communicator& comm, Index room, Index min_work,
                         const std::function<Index(Index work_bytes)>& total,
                         const std::function<core::ErrorContext()>& too_small);

}  // namespace armilla::transform
