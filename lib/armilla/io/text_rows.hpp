#pragma once

#include <armilla/core/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace armilla::io {

using core::Index;

/// The words of a line, parted by white space.
std::vector<std::string> words_of(const std::string& line);

/// What separates the words of a line.
enum class Separator { kSpace, kComma };
/// Commas where the line has one.
Separator separator_of(std::string_view line);
/// The words of a line, without white space around them, as views of it; between commas they may be empty.
void split_words(std::string_view line, Separator separator, std::vector<std::string_view>& words);

/// True for what number_of() takes.
bool is_number(std::string_view word);
/// A number, independent of the locale; a plus sign may precede it. Throws InputError naming file and line.
double number_of(std::string_view word, const std::string& path, Index line);

}  // namespace armilla::io
