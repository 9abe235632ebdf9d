#include "python_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

namespace armilla::python {

namespace {

constexpr std::array<std::string_view, 35> kReserved{
    "False",  "None",     "True", "and",    "as",   "assert",  "async",  "await",  "break", "class",  "continue", "def",
    "del",    "elif",     "else", "except", "for",  "finally", "from",   "global", "if",    "import", "in",       "is",
    "lambda", "nonlocal", "not",  "or",     "pass", "raise",   "return", "try",    "while", "with",   "yield"};

std::string quoted(const std::string& text) {
  const char quote = text.find('\'') == std::string::npos ? '\'' : '"';
  std::string escaped;
  for (const char c : text) escaped += c == '\\' || c == quote ? fmt::format("\\{}", c) : std::string(1, c);
  return quote + escaped + quote;
}

bool is_number(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string value_of(const YAML::Node& node) {
  std::vector<std::string> parts;
  if (node.IsSequence()) {
    for (const auto& item : node) parts.push_back(value_of(item));
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }
  if (node.IsMap()) {
    for (const auto& member : node) parts.push_back(quoted(member.first.Scalar()) + ": " + value_of(member.second));
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  if (!node.IsScalar()) return "None";
  const std::string& text = node.Scalar();
  if (text == "true") return "True";
  if (text == "false") return "False";
  return is_number(text) ? text : quoted(text);
}

/// "cg.mask" as a dictionary around a value: "{'cg': {'mask': VALUE}}".
std::string nested(const std::string& path, const std::string& value) {
  if (path.empty()) return value;
  const std::size_t dot = std::min(path.find('.'), path.size());
  const std::string rest = dot == path.size() ? "" : path.substr(dot + 1);
  return fmt::format("{{{}: {}}}", quoted(path.substr(0, dot)), nested(rest, value));
}

/// The key at a path as an argument: "lmax", "lmax=4000", "method={'cg': {'mask': 'm'}}", "kernels[0].needlet.scale=3".
std::string argument(const std::string& path, const std::string& value) {
  if (path.find('[') != std::string::npos) return value.empty() ? path : path + "=" + value;
  const std::size_t dot = std::min(path.find('.'), path.size());
  const std::string name = argument_name(path.substr(0, dot));
  if (dot == path.size()) return value.empty() ? name : name + "=" + value;
  return fmt::format("{}={}", name, nested(path.substr(dot + 1), value.empty() ? "..." : value));
}

/// Words the keys of the job of a call.
class Words {
 public:
  explicit Words(const PythonCall& call) : call_(call) {}

  /// A key in a text; an empty section is `own`.
  std::string mention(const std::string& own, const std::string& section, const std::string& key,
                      const std::string& value) const {
    const std::string& place = section.empty() ? own : section;
    const std::string name = place.substr(place.find_last_of('.') + 1);
    constexpr std::string_view kValue = "value.";
    if (place.starts_with(kValue)) return of_input(place.substr(kValue.size()));
    if (place.starts_with("steps."))
      return fmt::format("armilla.{}({})", name, key.empty() ? "" : argument(key, python(value)));
    if (place.starts_with("steps[") && !key.empty()) return argument(key, python(value));
    const std::string words = inner(place, name, key, value);
    return words.empty() ? core::job_words(section, key, value) : words;
  }

  /// What an error is about.
  std::string subject(const std::string& section, const std::string& key, const std::string& value) const {
    const std::string name = section.substr(section.find_last_of('.') + 1);
    const auto call = [&](const std::string& given) { return fmt::format("{}({})", call_.function, given); };
    if (section.starts_with("steps[")) {
      if (key.empty()) return call("");
      const auto input = call_.arguments.find(value);
      const bool is_input = input != call_.arguments.end() && input->second == key;
      return call(is_input ? of_input(value) : argument(key, python(value)));
    }
    const std::string words = inner(section, name, key, value);
    return words.empty() ? "" : call(words);
  }

 private:
  static std::string python(const std::string& value) { return value.empty() ? "" : python_value(value); }

  /// The argument that gave an input, with its file.
  std::string of_input(const std::string& name) const {
    const auto given = call_.arguments.find(name);
    if (given == call_.arguments.end()) return quoted(name);
    const auto file = call_.files.find(name);
    return argument(given->second, file == call_.files.end() ? "" : quoted(file->second));
  }

  /// Words for inputs, outputs and execution; empty for other sections.
  std::string inner(const std::string& section, const std::string& name, const std::string& key,
                    const std::string& value) const {
    if (section.starts_with("inputs.")) {
      if (key.empty() || key == "map" || key == "alm" || key == "points" || key == "values" || key == "spectra" ||
          key == "table")
        return of_input(name);
      if (call_.kind == PythonCall::Kind::kRead) return argument(key, python(value));
      return fmt::format("inputs={{{}: {}}}", quoted(name), nested(key, value.empty() ? "..." : python(value)));
    }
    if (section.starts_with("outputs."))
      return key.empty() || key == "file" ? (value.empty() ? "path" : python(value)) : argument(key, python(value));
    if (section == "execution") return fmt::format("execution={}", nested(key, value.empty() ? "..." : python(value)));
    return "";
  }

  const PythonCall& call_;
};

}  // namespace

std::string argument_name(const std::string& key) {
  return std::ranges::find(kReserved, key) == kReserved.end() ? key : key + "_";
}

std::string python_value(const std::string& yaml) {
  try {
    return value_of(YAML::Load(yaml));
  } catch (const YAML::Exception&) {
    return quoted(yaml);
  }
}

std::string python_message(const PythonCall& call, core::ErrorContext context, const std::string& job) {
  const Words words(call);
  const std::string own = context.section;
  if (context.where == job || context.where.starts_with(job + ":")) context.where.clear();
  const std::string subject = words.subject(context.section, context.key, context.value.value_or(""));
  if (!subject.empty()) {
    context.section = subject;
    context.key.clear();
    context.value.reset();
  }
  return core::sentence(context, [&](const std::string& section, const std::string& key, const std::string& value) {
    return section == subject && key.empty() ? subject : words.mention(own, section, key, value);
  });
}

}  // namespace armilla::python
