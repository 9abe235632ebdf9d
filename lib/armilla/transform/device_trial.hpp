#pragma once

#include <armilla/backend/child_check.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <string>

namespace armilla::transform {

/// Result of testing the devices of all ranks (backend::check_device).
struct DeviceTrial {
  std::string device = {};  ///< name of the device of the first rank, or of the first faulty one
  double rms = 0;           ///< the largest difference from the CPU on any rank; infinite if a result is not finite
  double limit = 0;         ///< the largest that passes
  bool passed = false;
  bool kept = false;       ///< whether all results are cached ones of earlier runs (backend::find_kept_check)
  std::string fault = {};  ///< the fault, with device and rank; empty if all passed
};

/// Collective; `device` is that of this rank, at `place` on its machine. Checks the devices of all ranks. With child
/// processes, each device is checked once, by the lowest of the ranks that share it, and only if no rank has a cached
/// result. In this process each rank checks its own device. A failing rank does not block others. Throws on all ranks
/// what backend::check_device throws on one.
DeviceTrial try_devices(const comm::Communicator& comm, backend::Kind kind, core::Precision precision,
                        const backend::Placement& place, const backend::Device& device,
                        const backend::CheckMethod& method);

/// Collective. The first non-empty text by rank, on all ranks.
std::string first_text(const comm::Communicator& comm, const std::string& text);

/// Collective. Number of ranks for which `mine` is true.
core::Index count_of(const comm::Communicator& comm, bool mine);

/// This rank in words: "rank 3 on HOST".
std::string own_rank(const comm::Communicator& comm);

}  // namespace armilla::transform
