#pragma once

#include <string>

namespace armilla::core {

/// Tells builds of the running program apart: its ELF build ID; where the linker wrote none, version, size and
/// modification time of its file.
std::string program_identity();

}  // namespace armilla::core
