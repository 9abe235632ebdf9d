#pragma once

#include <string>
#include <string_view>

namespace armilla::core {

/// A text from a user or a file that is safe on a terminal, on one line: '?' replaces each control character (of ASCII
/// and of Unicode, with line ends and those that change the direction of text) and each byte that is not UTF-8.
std::string printable(std::string_view text);

/// The same for a text of several lines: line ends and tabs are kept.
std::string printable_lines(std::string_view text);

/// A text from a user or a file, prepared for a message: at most 200 bytes, with "..." if it was truncated, otherwise
/// as printable() returns it.
std::string excerpt(std::string_view text);

}  // namespace armilla::core
