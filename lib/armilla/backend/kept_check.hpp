#pragma once

#include <armilla/backend/child_check.hpp>
#include <armilla/core/types.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace armilla::backend {

/// Identifies everything that the result of a check depends on, in this process and on this machine. One line of JSON
/// with host, boot of the machine, device, driver, build of the program, backend and precision. Ranks with equal lines
/// share a device.
std::string check_key(Kind kind, const Device& device, core::Precision precision);

/// File that stores the result of that key: in the folder device_checks of core::cache_folder(), one file for each
/// host, device, build, backend and precision. Empty if there is no cache.
std::filesystem::path kept_check_file(const std::string& key);

/// The result stored by an earlier run for that key; its fault includes the note of keep_check(). Returns std::nullopt
/// if there is none, if the machine has restarted or the driver has changed since, or if the file is not readable. A
/// check that exceeded a time limit below `limit_seconds` is also ignored.
std::optional<DeviceCheck> find_kept_check(const std::string& key, double limit_seconds = 0);

/// Stores a lasting result for later runs if the cache is writable, and returns it. If it was stored, its fault gets a
/// note with the file name and how to repeat the check. Does not throw.
DeviceCheck keep_check(const std::string& key, DeviceCheck check);

}  // namespace armilla::backend
