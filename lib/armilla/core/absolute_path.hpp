#pragma once

#include <string>

namespace armilla::core {

/// The path from the root folder, without "." and ".."; links are not resolved. A relative path is returned as it is if
/// the working folder no longer exists: std::filesystem::absolute() then throws, even for a path that is absolute.
std::string absolute_path(const std::string& path);

}  // namespace armilla::core
