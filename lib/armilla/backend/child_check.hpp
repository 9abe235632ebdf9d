#pragma once

#include <armilla/backend/device_check.hpp>
#include <armilla/core/types.hpp>

#include <optional>
#include <string>

namespace armilla::backend {

/// How devices are checked.
struct CheckMethod {
  /// A program with the verb check-device of `armilla`, run as a child process. A crash or hang of the check is then
  /// reported as a fault, and results are cached (kept_check.hpp). If empty, the check runs in this process, results
  /// are not cached, and a crash ends the process.
  std::string program = {};
  double limit_seconds = 120;  ///< after which a child is killed
};

/// Not collective. Runs check_device of that precision in a child process. It is a fault if the child cannot be
/// started, exits by a signal, exceeds the time limit or prints no result.
DeviceCheck check_device_in_child(const CheckMethod& method, Kind kind, const Placement& placement,
                                  core::Precision precision);

/// The arguments with which check_device_in_child calls its program, for the parser of that program.
inline constexpr const char* kCheckVerb = "check-device";

/// Formats a check as one line of JSON, {"fault": ..., "lasting": ..., "rms": ...}, which a child prints as its last
/// line. `rms` is null if it is infinite.
std::string check_to_json(const DeviceCheck& check);

/// Parses such a line; std::nullopt if it is not valid.
std::optional<DeviceCheck> check_from_json(const std::string& line);

}  // namespace armilla::backend
