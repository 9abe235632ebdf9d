#include <armilla/job/parse/keys.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

Index read_whole(const Key& key, const YamlValue& value) { return value.whole_number(key.first, key.last); }

double read_number(const Key& key, const YamlValue& value) {
  const double number = value.number();
  if (!std::isfinite(number)) value.fail("is not finite: use a finite number");
  if (number < key.min || number > key.max) value.fail(fmt::format("is outside the range {} .. {}", key.min, key.max));
  return number;
}

std::string plain_text(const std::string& text, Quotes quotes) {
  static const std::regex link("\\[([^\\]]*)\\]\\([^)]*\\)");
  std::string result = std::regex_replace(text, link, "$1");
  if (quotes == Quotes::kNone) std::erase(result, '`');
  std::ranges::replace(result, '`', '\'');
  return result;
}

std::string with_article(const std::string& sorts) {
  if (sorts.ends_with('s') || sorts == sort_name(ValueSort::kSpectra)) return sorts;
  return (sorts.starts_with(sort_name(ValueSort::kAlm)) ? "an " : "a ") + sorts;
}

std::string type_text(const Key& key) {
  switch (key.type) {
    case KeyType::kOperand:
      return "name of " + with_article(key.form);
    case KeyType::kResult:
      return "new name";
    case KeyType::kWhole:
      if (key.last == std::numeric_limits<Index>::max()) return fmt::format("integer, at least {}", key.first);
      return fmt::format("integer in {} .. {}", key.first, key.last);
    case KeyType::kNumber:
      return key.max < std::numeric_limits<double>::max() ? fmt::format("number in {} .. {}", key.min, key.max)
                                                          : "number";
    case KeyType::kFlag:
      return "true or false";
    case KeyType::kChoice:
      return fmt::format("one of `{}`", fmt::join(key.choices, "`, `"));
    case KeyType::kText:
      return "name";
    case KeyType::kTexts:
      return "list of names";
    case KeyType::kReference:
      return key.form;
    case KeyType::kFile:
      return key.form.empty() ? "file" : key.form;
    case KeyType::kGrid:
      return "[grid](job_reference.md#grids)";
    case KeyType::kSection:
    case KeyType::kOther:
      break;
  }
  return key.form;
}

}  // namespace armilla::job
