#pragma once

#include <string>
#include <string_view>

#include <sys/types.h>

namespace armilla::core {

/// Kind of a file with this mode (st_mode), for messages: "a folder", "a device", "a FIFO or pipe", "a socket"; empty
/// for a regular file.
std::string_view special_kind(mode_t mode);

/// Throws InputError, with the system's reason, unless `path` is a regular file that can be opened for reading. Links
/// are followed. Call it before a file is opened: opening a FIFO blocks, and a device may have no end.
void check_readable(const std::string& path);

}  // namespace armilla::core
