#pragma once

#include <string_view>

#include <sys/types.h>

namespace armilla::core {

/// Kind of a file with this mode (st_mode), for messages: "a folder", "a device", "a FIFO or pipe", "a socket"; empty
/// for a regular file.
std::string_view special_kind(mode_t mode);

}  // namespace armilla::core
