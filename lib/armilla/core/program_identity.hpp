#pragma once

#include <string>

namespace armilla::core {

/// Identifies the build of the running program: its ELF build ID, or, if the linker wrote none, version, size and
/// modification time of its file.
std::string program_identity();

}  // namespace armilla::core
