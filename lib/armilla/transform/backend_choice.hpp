#pragma once

#include <armilla/backend/options.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>
#include <armilla/transform/device_trial.hpp>

#include <optional>
#include <string>

namespace armilla::transform {

/// The backend for all ranks.
struct BackendChoice {
  backend::Kind kind = backend::Kind::kCpu;  ///< never kAuto
  bool automatic = false;                    ///< whether kAuto was requested
  std::optional<DeviceTrial> trial = {};     ///< set if devices were tested
  std::string note = {};                     ///< why kAuto does not use an available device; otherwise empty
  std::string warning = {};                  ///< like `note`, for causes that a user should investigate
};

/// Collective. Resolves `asked`: kAuto becomes another backend, all others are returned unchanged. For a backend with
/// devices, all ranks test their devices first. Throws ResourceError, with rank, device and figure, if a device
/// computes wrongly or cannot be used. kAuto selects the first backend that all ranks can use. It selects a device only
/// if
/// - nothing requires the CPU: `why_cpu`, the same on all ranks, is empty;
/// - each rank has a device with full FP64 rate (backend::has_fast_doubles);
/// - each of these devices passes its test.
/// Does not log; it only returns the messages. kAuto without any device has no message. Devices are tested in this
/// process, once for each communicator and precision (try_devices).
BackendChoice choose_backend(const comm::Communicator& comm, backend::Kind asked, core::Precision precision,
                             const std::string& why_cpu);

/// Collective. The result of choose_backend() for transforms with these options; the root logs its messages.
backend::Kind take_backend(const comm::Communicator& comm, backend::Kind asked, core::Precision precision,
                           const backend::Options& options);

}  // namespace armilla::transform
