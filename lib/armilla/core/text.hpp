#pragma once

#include <string>
#include <string_view>

namespace armilla::core {

/// A text of a user or a file for a message: at most 200 bytes, then "...", whole UTF-8 characters, and '?' for control
/// characters.
std::string excerpt(std::string_view text);

}  // namespace armilla::core
