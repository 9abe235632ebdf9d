#pragma once

#include <armilla/core/types.hpp>

#include <span>
#include <string>

namespace armilla::io {

using core::Index;

/// Whether a file is compressed with gzip.
bool is_gzip(const std::string& path);

/// Up to `count` of the first bytes of the contents of a file compressed with gzip. Throws InputError if it is damaged.
std::string gzip_head(const std::string& path, Index count);

/// Writes the contents of a file compressed with gzip to an open file. Throws InputError if it is damaged or truncated,
/// and ResourceError if its contents have more than `most` bytes or cannot be written.
void inflate_gzip(const std::string& path, Index most, int descriptor);

/// Writes bytes of the contents of the compressed file `path` to an open file. Throws ResourceError.
void write_contents(int descriptor, std::span<const char> bytes, const std::string& path);

}  // namespace armilla::io
