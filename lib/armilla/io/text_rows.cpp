#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/text_rows.hpp>

#include <charconv>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

namespace armilla::io {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

double number_of(const std::string& word, const std::string& path, Index line) {
  // from_chars takes no plus sign.
  const char* begin = word.c_str() + (word.front() == '+' ? 1 : 0);
  const char* end = word.c_str() + word.size();
  double value = 0;
  const auto result = std::from_chars(begin, end, value);
  if (result.ec != std::errc() || result.ptr != end)
    throw core::InputError(fmt::format("'{}', line {}: '{}' is not a number", path, line, core::excerpt(word)));
  return value;
}

}  // namespace armilla::io
