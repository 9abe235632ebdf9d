#pragma once

#include <spdlog/logger.h>

namespace armilla::core {

/// Where the library says what does not end a call: a logger of its own, so that those of a program that uses spdlog
/// are left alone. Writes warnings and errors to stderr, in colour if that is a terminal; a front end may change that.
spdlog::logger& log();

}  // namespace armilla::core
