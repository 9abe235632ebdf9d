#pragma once

#include <string>

namespace armilla::core {

/// Name of the machine that runs this process; "unknown" if the system does not report it.
std::string host_name();

}  // namespace armilla::core
