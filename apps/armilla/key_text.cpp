#include "key_text.hpp"

#include <algorithm>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::app {

std::string plain(const std::string& text) {
  static const std::regex link("\\[([^\\]]*)\\]\\([^)]*\\)");
  std::string result = std::regex_replace(text, link, "$1");
  std::erase(result, '`');
  return result;
}

std::string option_name(const std::vector<std::string>& path) {
  std::string name = fmt::format("--{}", fmt::join(path, "-"));
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string value_word(const job::Key& key) {
  switch (key.type) {
    case job::KeyType::kWhole:
      return "N";
    case job::KeyType::kNumber:
      return "NUMBER";
    case job::KeyType::kChoice:
      return "WORD";
    case job::KeyType::kTexts:
      return "NAME,...";
    case job::KeyType::kFile:
    case job::KeyType::kOperand:
    case job::KeyType::kResult:
      return "FILE";
    case job::KeyType::kGrid:
      return "GRID";
    case job::KeyType::kText:
      return "NAME";
    case job::KeyType::kFlag:
      return "";
    case job::KeyType::kSection:
    case job::KeyType::kOther:
      break;
  }
  return "VALUE";
}

std::string option_help(const job::Key& key) {
  std::string text = plain(key.help);
  if (key.type == job::KeyType::kChoice) text += fmt::format(": {}", fmt::join(key.choices, ", "));
  if (key.type == job::KeyType::kGrid) text += ": healpix:64, gauss:128 and so on, or YAML";
  if (!key.fallback.empty() && !key.fallback.ends_with("is required"))
    text += fmt::format("; default: {}", plain(key.fallback));
  return text;
}

}  // namespace armilla::app
