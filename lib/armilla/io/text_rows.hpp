#pragma once

#include <armilla/core/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace armilla::io {

using core::Index;

/// Separator between the words of a line.
enum class Separator { kSpace, kComma };
/// Comma if the line contains one.
Separator separator_of(std::string_view line);
/// Splits a line into words, as views into it, trimmed of white space. With commas, words may be empty.
void split_words(std::string_view line, Separator separator, std::vector<std::string_view>& words);

/// True if number_of() accepts the word.
bool is_number(std::string_view word);
/// Parses a number independently of the locale; a leading plus sign and Fortran's exponents (1.0D-3) are allowed.
/// Throws InputError, naming file and line.
double number_of(std::string_view word, const std::string& path, Index line);

}  // namespace armilla::io
