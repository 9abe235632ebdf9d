#pragma once

#include <string>

namespace armilla::core {

/// Of the machine that this process runs on; "unknown" where the system does not say.
std::string host_name();

}  // namespace armilla::core
