#pragma once

#include <armilla/backend/child_check.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <string>

namespace armilla::transform {

/// What trying the devices of all ranks showed (backend::check_device).
struct DeviceTrial {
  std::string device = {};  ///< name of that of the first rank, or of the first one that is wrong
  double rms = 0;    ///< the largest difference from the CPU on any rank; infinite where a result is not a number
  double limit = 0;  ///< the largest that passes
  bool passed = false;
  bool kept = false;       ///< whether all results are those of earlier runs (backend::find_kept_check)
  std::string fault = {};  ///< what is wrong with which device of which rank; empty if all passed
};

/// Collective; `device` is that of this rank, at `place` on its machine. Checks the devices of all ranks. In children
/// each device is checked once, by the lowest of the ranks that share it, and only where no rank knows a kept result;
/// in this process each rank checks its own. A rank that fails leaves no other waiting. Throws on all ranks what
/// backend::check_device throws on one.
DeviceTrial try_devices(const comm::Communicator& comm, backend::Kind kind, core::Precision precision,
                        const backend::Placement& place, const backend::Device& device,
                        const backend::CheckMethod& method);

/// Collective. The text of the lowest rank that gives one that is not empty, on all ranks.
std::string first_text(const comm::Communicator& comm, const std::string& text);

/// Collective. How many ranks say yes.
core::Index count_of(const comm::Communicator& comm, bool mine);

/// This rank in words: "rank 3 on HOST".
std::string own_rank(const comm::Communicator& comm);

}  // namespace armilla::transform
