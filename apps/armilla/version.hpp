#pragma once

#include <string>

namespace armilla::app {

/// Version, compiler, build type, CUDA, and the versions of the libraries in use.
std::string version_text();

}  // namespace armilla::app
