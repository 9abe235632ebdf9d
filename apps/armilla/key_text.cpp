#include "key_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::app {

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
  std::string text = job::plain_text(key.help);
  if (key.type == job::KeyType::kChoice) text += fmt::format(": {}", fmt::join(key.choices, ", "));
  if (key.type == job::KeyType::kGrid) text += ": healpix:64, gauss:128 and so on, or YAML";
  if (!key.fallback.empty() && !key.fallback.ends_with("is required"))
    text += fmt::format("; default: {}", job::plain_text(key.fallback));
  return text;
}

}  // namespace armilla::app
