#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/text_rows.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace armilla::io {

Separator separator_of(std::string_view line) {
  return line.find(',') != std::string_view::npos ? Separator::kComma : Separator::kSpace;
}

void split_words(std::string_view line, Separator separator, std::vector<std::string_view>& words) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  words.clear();
  const std::string_view ends = separator == Separator::kComma ? std::string_view(",") : kBlank;
  while (true) {
    const auto begin = line.find_first_not_of(kBlank);
    line.remove_prefix(std::min(begin, line.size()));
    if (line.empty() && separator == Separator::kSpace) return;
    const std::string_view part = line.substr(0, line.find_first_of(ends));
    words.push_back(part.substr(0, part.find_last_not_of(kBlank) + 1));
    if (part.size() == line.size()) return;
    line.remove_prefix(part.size() + 1);
  }
}

namespace {

// Whether a word is a sign and three digits.
bool is_long_exponent(std::string_view word) {
  return word.size() == 4 && (word[0] == '-' || word[0] == '+') &&
         word.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// Fortran writes the exponents of double precision as D+02, and leaves out the letter before three digits: 1.5-102. Its
// numbers have a decimal point, which the year in 2021-123 does not.
std::optional<double> fortran_number(std::string_view word, std::size_t mantissa) {
  const bool has_letter = word[mantissa] == 'D' || word[mantissa] == 'd';
  const bool has_point = word.substr(0, mantissa).find('.') != std::string_view::npos;
  if (mantissa == 0 || (!has_letter && !(has_point && is_long_exponent(word.substr(mantissa))))) return std::nullopt;
  const std::string text = fmt::format("{}e{}", word.substr(0, mantissa), word.substr(mantissa + (has_letter ? 1 : 0)));
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// std::nullopt if the word is not a number. from_chars does not accept a plus sign.
std::optional<double> parsed_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  if (result.ec != std::errc()) return std::nullopt;
  const auto length = static_cast<std::size_t>(result.ptr - word.data());
  return length == word.size() ? value : fortran_number(word, length);
}

}  // namespace

bool is_number(std::string_view word) { return parsed_number(word).has_value(); }

double number_of(std::string_view word, const std::string& path, Index line) {
  if (const auto value = parsed_number(word)) return *value;
  throw core::InputError(fmt::format("'{}', line {}: '{}' is not a number", path, line, core::excerpt(word)));
}

}  // namespace armilla::io
