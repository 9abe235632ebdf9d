#pragma once

#include <string>
#include <string_view>

namespace armilla::core {

/// A text from a user or a file, prepared for a message: at most 200 bytes, with "..." if it was truncated, complete
/// UTF-8 characters, and '?' for control characters.
std::string excerpt(std::string_view text);

}  // namespace armilla::core
