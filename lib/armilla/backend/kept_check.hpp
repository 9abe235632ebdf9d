#pragma once

#include <armilla/backend/child_check.hpp>
#include <armilla/core/types.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace armilla::backend {

/// What the result of a check depends on, in this process and on this machine: one line of JSON with host, boot of the
/// machine, device, driver, build of the program, backend and precision. Ranks whose lines are equal share a device.
std::string check_key(Kind kind, const Device& device, core::Precision precision);

/// Where the result of that key is kept: in the folder device_checks of core::cache_folder(), one file for each host,
/// device, build, backend and precision. Empty where there is no cache.
std::filesystem::path kept_check_file(const std::string& key);

/// The result that an earlier run has kept for that key, its fault with the note of keep_check(). Nothing where there
/// is none, where the machine has restarted or the driver has changed since, where the file is not readable, and where
/// the check exceeded a time limit of less than `limit_seconds`.
std::optional<DeviceCheck> find_kept_check(const std::string& key, double limit_seconds = 0);

/// Keeps a result for later runs where it is a lasting one and the cache can be written. Returns it, where it was kept
/// with a note at its fault that names the file and how to have the device checked again. Throws nothing.
DeviceCheck keep_check(const std::string& key, DeviceCheck check);

}  // namespace armilla::backend
