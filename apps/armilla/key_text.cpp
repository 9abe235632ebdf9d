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
    case job::KeyType::kReference:
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
  std::vector<std::string> more;
  if (key.type == job::KeyType::kChoice) more.push_back(fmt::format("{}", fmt::join(key.choices, ", ")));
  if (key.type == job::KeyType::kGrid) more.emplace_back("healpix:64, gauss:128 etc., or YAML");
  const bool has_link = key.form.find("](") != std::string::npos;
  if (key.type == job::KeyType::kOther && !key.form.empty() && !has_link)
    more.push_back(job::plain_text(key.form, job::Quotes::kNone));
  if (!key.requirement.empty()) more.push_back(job::plain_text(key.requirement, job::Quotes::kNone));
  if (!key.fallback.empty())
    more.push_back(fmt::format("default: {}", job::plain_text(key.fallback, job::Quotes::kNone)));
  const std::string help = job::plain_text(key.help);
  return more.empty() ? help : fmt::format("{} ({})", help, fmt::join(more, "; "));
}

}  // namespace armilla::app
