#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/job/parse/expand_path.hpp>

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace armilla::job {

namespace {

constexpr std::string_view kNameCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

std::string value_of(const std::string& name, const Variables& variables) {
  const std::optional<std::string> value = variables(name);
  if (!value || value->empty())
    throw core::InputError(
        fmt::format("uses the environment variable {}, which is {}: set it, or write the path in full ('$$' is a "
                    "literal dollar sign)",
                    core::excerpt(name), value ? "empty" : "not set"));
  return *value;
}

/// The variable name after the `$` at `at`; moves `at` past the variable.
std::string variable_name(const std::string& path, std::size_t& at) {
  const bool has_braces = at + 1 < path.size() && path[at + 1] == '{';
  const std::size_t begin = at + (has_braces ? 2 : 1);
  std::size_t end = path.find_first_not_of(kNameCharacters, begin);
  if (end == std::string::npos) end = path.size();
  std::string name = path.substr(begin, end - begin);
  const bool is_name = !name.empty() && (name[0] < '0' || name[0] > '9');
  if (!is_name || (has_braces && (end == path.size() || path[end] != '}')))
    throw core::InputError(
        "has a '$' without a variable name: expected $NAME or ${NAME}, or '$$' for a literal dollar sign");
  at = end + (has_braces ? 1 : 0);
  return name;
}

}  // namespace

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

std::string expand_path(const std::string& path, const Variables& variables) {
  std::string result;
  std::size_t at = 0;
  if (path[0] == '~') {
    if (path.size() > 1 && path[1] != '/')
      throw core::InputError(
          "refers to the home folder of another user, which is not supported: write the path in full");
    result = value_of("HOME", variables);
    at = 1;
  }
  while (at < path.size()) {
    if (path[at] != '$') {
      result += path[at++];
    } else if (path.compare(at, 2, "$$") == 0) {
      result += '$';
      at += 2;
    } else {
      const std::string name = variable_name(path, at);
      result += value_of(name, variables);
    }
  }
  return result;
}

}  // namespace armilla::job
