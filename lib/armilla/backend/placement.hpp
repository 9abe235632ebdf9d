#pragma once

#include <span>
#include <string>
#include <vector>

namespace armilla::backend {

/// The device of a rank.
struct Placement {
  int device = 0;  ///< index among the devices that the rank sees
  int ranks = 1;   ///< number of ranks that use this device, with this one
};

/// UUIDs of the devices that a rank sees, by index. A scheduler may show each rank other devices.
using SeenDevices = std::vector<std::string>;

/// The device of rank `rank` of a machine, if its ranks see the devices `seen` [rank]. Ranks that see the same devices
/// in the same order spread over them; if there are more ranks than devices, neighbouring ranks share one. Ranks share
/// a device if it has the same UUID, whatever its index. Placement() if the rank sees none.
Placement place_rank(std::span<const SeenDevices> seen, int rank);

}  // namespace armilla::backend
