#include "whole_number.hpp"

#include <charconv>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace armilla::app {

CLI::Validator whole_number(long least, long most) {
  return CLI::Validator(
      [least, most](std::string& text) {
        long value = 0;
        const char* const last = text.data() + text.size();
        const auto [end, error] = std::from_chars(text.data(), last, value);
        if (error == std::errc() && end == last && value >= least && value <= most) return std::string();
        return fmt::format("'{}' is not a whole number from {} to {} in decimal digits", text, least, most);
      },
      "");
}

CLI::Validator not_empty() {
  return CLI::Validator(
      [](std::string& text) {
        return std::string(text.empty() ? "the value is empty: give one, or omit the option" : "");
      },
      "");
}

}  // namespace armilla::app
