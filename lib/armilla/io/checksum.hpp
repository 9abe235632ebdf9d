#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <string>

namespace armilla::io {

/// Checksum of all bytes of a file, 16 hexadecimal digits. Blocks of 4 MiB have checksums of their own, of which it is
/// the checksum, so that ranks can share the work; it does not depend on their number. It finds changed, lost and
/// exchanged bytes, and is no protection against an attacker. Not collective. Throws InputError if the file is not
/// there or cannot be opened, ResourceError where it cannot be read.
std::string file_checksum(const std::string& path);

/// The same, by all ranks: each reads its share of the blocks. Collective. The same on all ranks.
std::string file_checksum(const comm::Communicator& comm, const std::string& path);

}  // namespace armilla::io
