#pragma once

#include <armilla/core/types.hpp>

#include <string>

namespace armilla::io {

using core::Index;

/// Size of a file [bytes]. Throws InputError if it is absent.
Index file_size(const std::string& path);

/// The first `count` bytes of a file, or the whole file if it is shorter. Throws like core::InputFile, and
/// ResourceError if the system cannot read it.
std::string file_head(const std::string& path, Index count);

/// True for bytes that are text: printable ASCII, white space, or parts of UTF-8.
bool is_text(const std::string& bytes);

/// The ending of the file's name in lower case with its dot, such as ".h5"; empty if there is none.
std::string name_ending(const std::string& path);

/// Throws the InputError of a file that no longer matches its header.
[[noreturn]] void throw_changed(const std::string& path);

}  // namespace armilla::io
