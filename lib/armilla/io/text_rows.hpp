#pragma once

#include <armilla/core/types.hpp>

#include <string>
#include <vector>

namespace armilla::io {

using core::Index;

/// The words of a line, parted by white space.
std::vector<std::string> words_of(const std::string& line);

/// A number, independent of the locale; a plus sign may precede it. Throws InputError naming file and line.
double number_of(const std::string& word, const std::string& path, Index line);

}  // namespace armilla::io
