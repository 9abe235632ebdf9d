#pragma once

#include <armilla/backend/context.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <functional>
#include <optional>
#include <string>

namespace armilla::transform {

using core::Index;

/// Collective. The number of a rank among those of its machine.
backend::Placement placement(const comm::Communicator& comm);

/// Collective. Bytes that each rank may take of its device: of the rank that has least. kNoDevice where such a backend
/// has no device, or cannot work here, as may be on the machine of a dry run.
Index device_room(const comm::Communicator& comm, backend::Kind kind);

/// The working space that each part of a stage gets where a rank may take `room` bytes of its device: as much as fits
/// from `min_work` on; nothing if not even that fits. `total`: all bytes on the device with such working space.
std::optional<Index> largest_device_work(Index room, Index min_work,
                                         const std::function<Index(Index work_bytes)>& total);

/// Collective. The least that ranks find by largest_device_work(), each with arguments of its own, but at least
/// `min_work`: the same on all ranks with the same `min_work`. Throws ResourceError with the text of `too_small` where
/// there is nothing for a rank. Precedes all allocations on devices, which ranks may share.
Index choose_device_work(const comm::Communicator& comm, Index room, Index min_work,
                         const std::function<Index(Index work_bytes)>& total,
                         const std::function<std::string()>& too_small);

}  // namespace armilla::transform
