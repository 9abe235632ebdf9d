#pragma once

#include <armilla/backend/device_check.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <map>
#include <string>
#include <utility>

namespace armilla::transform {

/// Result of testing the devices of all ranks (backend::check_device).
struct DeviceTrial {
  std::string device = {};  ///< name of the device of the first rank, or of the first faulty one
  double rms = 0;           ///< the largest difference from the CPU on any rank; infinite if a result is not finite
  double limit = 0;         ///< the largest that passes
  bool passed = false;
  bool kept = false;       ///< whether this is the result of an earlier check by this process
  std::string fault = {};  ///< the fault, with device and rank; empty if all passed
};

/// Tests that all devices of a group of ranks have passed.
using PassedTrials = std::map<std::pair<backend::Kind, core::Precision>, DeviceTrial>;

/// Collective; `device` is that of this rank, at `place`. Each rank checks its own device in this
/// process. If all devices pass, cache_of(comm) stores the result, and later calls return it without a check. A failed
/// check is repeated. A failing rank does not block others. Throws on all ranks what backend::check_device throws on
/// one.
DeviceTrial try_devices(const comm::Communicator& comm, backend::Kind kind, core::Precision precision,
                        const backend::Placement& place, const backend::Device& device);

/// Collective. The first non-empty text by rank, on all ranks.
std::string first_text(const comm::Communicator& comm, const std::string& text);

/// Collective. Number of ranks for which `mine` is true.
core::Index count_of(const comm::Communicator& comm, bool mine);

/// This rank in words: "rank 3 on HOST".
std::string own_rank(const comm::Communicator& comm);

}  // namespace armilla::transform
