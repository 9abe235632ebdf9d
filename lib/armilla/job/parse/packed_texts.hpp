#pragma once

#include <string>
#include <vector>

namespace armilla::job {

/// Texts without zero bytes as one string, for a broadcast.
std::string packed(const std::vector<std::string>& texts);

/// The inverse of packed().
std::vector<std::string> unpacked(const std::string& all);

}  // namespace armilla::job
