#pragma once

#include <armilla/backend/child_check.hpp>
#include <armilla/backend/options.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>
#include <armilla/transform/device_trial.hpp>

#include <optional>
#include <string>

namespace armilla::transform {

/// The backend that all ranks are to use.
struct BackendChoice {
  backend::Kind kind = backend::Kind::kCpu;  ///< never kAuto
  bool automatic = false;                    ///< whether kAuto was asked for
  std::optional<DeviceTrial> trial = {};     ///< where devices were tried
  std::string note = {};                     ///< why kAuto does not use a device that is there, or nothing
  std::string warning = {};                  ///< likewise, where somebody should look into it
};

/// Collective. The backend that `asked` stands for: kAuto for another, all others for themselves. Of a backend with
/// devices all ranks try theirs first: ResourceError, which says rank, device and figure, where one computes wrongly,
/// and where one cannot work. kAuto is the first backend that all ranks can use, with a device only where
/// - nothing asks for the CPU: `why_cpu`, the same on all ranks, is empty;
/// - each rank sees one, of full rate in FP64 (backend::has_fast_doubles);
/// - each of these passes its trial.
/// Says nothing, only returns what is to be said; kAuto without any device has nothing to say. `method`: where devices
/// are tried, by default in this process, in which a crash of a driver ends the run; `armilla` has it done in children.
/// No context is made on a device before it was tried.
BackendChoice choose_backend(const comm::Communicator& comm, backend::Kind asked, core::Precision precision,
                             const std::string& why_cpu, const backend::CheckMethod& method = {});

/// Collective. What choose_backend() comes to for transforms with these options; the root logs what is to be
/// said.
backend::Kind take_backend(const comm::Communicator& comm, backend::Kind asked, core::Precision precision,
                           const backend::Options& options, const backend::CheckMethod& method = {});

}  // namespace armilla::transform
