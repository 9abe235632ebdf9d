#pragma once

#include <string>

namespace armilla::app {

/// Returns version, compiler, build type, CUDA, and the versions of the libraries in use.
std::string version_text();

}  // namespace armilla::app
