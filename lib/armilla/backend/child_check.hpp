#pragma once

#include <armilla/backend/device_check.hpp>
#include <armilla/core/types.hpp>

#include <optional>
#include <string>

namespace armilla::backend {

/// Where devices are checked.
struct CheckMethod {
  /// A program with the verb check-device of `armilla`, which runs as a child process: a crash or a hang of the check
  /// is then a fault like any other, and results are kept (kept_check.hpp). Empty: the check runs in this process,
  /// nothing is kept, and a crash ends the process.
  std::string program = {};
  double limit_seconds = 120;  ///< after which a child is killed
};

/// Runs check_device of that precision in a child process. Not collective. A child that cannot be started, exits by
/// a signal, exceeds the time limit or prints no result is a fault.
DeviceCheck check_device_in_child(const CheckMethod& method, Kind kind, const Placement& placement,
                                  core::Precision precision);

/// The arguments by which check_device_in_child calls its program, for those who read them.
inline constexpr const char* kCheckVerb = "check-device";

/// A check as one line of JSON, {"fault": ..., "lasting": ..., "rms": ...}: what a child prints as its last line. `rms`
/// is null where it is infinite.
std::string check_to_json(const DeviceCheck& check);

/// Reads such a line; nothing where it is not one.
std::optional<DeviceCheck> check_from_json(const std::string& line);

}  // namespace armilla::backend
