#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace armilla::io {

/// Checksum of bytes in memory. It detects changed, lost and exchanged bytes, but does not protect against an attacker.
std::uint64_t bytes_checksum(std::span<const std::byte> bytes);

/// Not collective. Checksum of all bytes of a file, 16 hexadecimal digits. It is the checksum of the checksums of
/// blocks of 4 MiB, so that ranks can share the work; it does not depend on their number. It detects changed, lost and
/// exchanged bytes, but does not protect against an attacker. Throws InputError if the file does not exist or cannot be
/// opened, ResourceError if it cannot be read.
std::string file_checksum(const std::string& path);

/// Collective version, in which each rank reads its share of the blocks. The result is the same on all ranks.
std::string file_checksum(const comm::Communicator& comm, const std::string& path);

}  // namespace armilla::io
