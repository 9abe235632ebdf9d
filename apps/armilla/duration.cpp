#include "duration.hpp"

#include <map>
#include <regex>

#include <CLI/CLI.hpp>

namespace armilla::app {

namespace {

double whole(const std::string& digits) { return digits.empty() ? 0 : std::stod(digits); }

}  // namespace

double parse_duration(const std::string& text, const std::string& option) {
  static const std::regex with_unit("([0-9]{1,9}(\\.[0-9]{1,9})?)([dhms])");
  static const std::regex clock("(([0-9]{1,6})-)?([0-9]{1,6}):([0-5]?[0-9]):([0-5]?[0-9])");
  static const std::map<std::string, double> units{{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}};
  std::smatch found;
  double seconds = 0;
  if (std::regex_match(text, found, with_unit))
    seconds = std::stod(found[1]) * units.at(found[3]);
  else if (std::regex_match(text, found, clock))
    seconds = whole(found[2]) * 86400 + whole(found[3]) * 3600 + whole(found[4]) * 60 + whole(found[5]);
  if (!(seconds > 0))
    throw CLI::ValidationError(option,
                               "'" + text + "' is not a valid time: expected 3h, 90m, 45s, HH:MM:SS or D-HH:MM:SS");
  return seconds;
}

}  // namespace armilla::app
