#pragma once

#include <armilla/core/types.hpp>
#include <armilla/job/parse/document.hpp>
#include <armilla/job/parse/parse_values.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

/// The tables of keys of the job language. Each section of a job (an input, a step, an output, the parameters of a
/// method) declares its keys once, as Keys<Section>. Parsing, messages about unknown keys and docs/job_keys.md use that
/// table.
namespace armilla::job {

/// Type of the value of a key.
enum class KeyType {
  kOperand,    ///< name of an operand of the step
  kResult,     ///< name of the result of the step
  kWhole,      ///< an integer
  kNumber,     ///< a finite number
  kFlag,       ///< true or false
  kChoice,     ///< one of a list of words
  kText,       ///< a name
  kTexts,      ///< a list of names
  kFile,       ///< a path, relative to the job file
  kReference,  ///< a path, or the name of a value; described by `form`
  kGrid,       ///< a grid (parse_grid)
  kSection,    ///< a section with its own keys
  kOther       ///< described by `form`
};

/// One key of a section, as documented for users.
struct Key {
  std::string name;
  KeyType type = KeyType::kOther;
  std::string help = {};         ///< its meaning, in one line
  std::string form = {};         ///< kOperand: the type of value; kOther, kSection: the form of the value
  std::string fallback = {};     ///< default, as text; empty if there is none, or if `help` describes it
  std::string requirement = {};  ///< when the key is required, if that depends on other keys
  bool is_required = false;
  std::vector<std::string> choices = {};  ///< kChoice
  Index first = 0;                        ///< kWhole: the range
  Index last = 0;
  double min = 0;  ///< kNumber: the range
  double max = 0;
  std::vector<Key> members = {};  ///< kSection
  std::string applies_to = {};    ///< the only operand with which it is used; empty: any
};

/// A type of value, or several, with its article: "an alm", "a map", "values".
std::string with_article(const std::string& sorts);

/// The type as text for the reference, such as "integer in 0 .. 4096" or "one of stop, skip".
std::string type_text(const Key& key);

enum class Quotes { kNone, kSingle };

/// Text of these tables without Markdown syntax: links become their text, backquotes become these quotes.
std::string plain_text(const std::string& text, Quotes quotes = Quotes::kSingle);

/// The value of a kWhole or kNumber key. Throws InputError if it is outside the range of the key.
Index read_whole(const Key& key, const YamlValue& value);
double read_number(const Key& key, const YamlValue& value);

/// A key, and the function that stores its value in a Section.
template <class Section>
struct KeyOf {
  Key key;
  std::function<void(Section&, const Key&, const YamlValue&, const ParseContext&)> read;

  /// The key is required.
  KeyOf required() && {
    key.is_required = true;
    key.fallback.clear();
    return std::move(*this);
  }
  /// Text of the default in the reference, if it is not the value of the member.
  KeyOf fallback(std::string text) && {
    key.fallback = std::move(text);
    return std::move(*this);
  }
  /// The key has no default. Text for the reference of when it is required, such as "required unless `to` is given".
  KeyOf requirement(std::string text) && {
    key.is_required = false;
    key.fallback.clear();
    key.requirement = std::move(text);
    return std::move(*this);
  }
};

template <class Section>
using Keys = std::vector<KeyOf<Section>>;

/// The keys without their actions.
template <class Section>
std::vector<Key> described(const Keys<Section>& keys) {
  std::vector<Key> plain;
  for (const auto& one : keys) plain.push_back(one.key);
  return plain;
}

/// Reads `value` into `section`, in the order of the table. Throws InputError for keys that are unknown (naming the
/// nearest) or missing.
template <class Section>
void read_section(Section& section, const Keys<Section>& keys, const YamlValue& value, const ParseContext& context) {
  std::vector<std::string> names;
  for (const auto& one : keys) names.push_back(one.key.name);
  value.expect_keys(names);
  for (const auto& one : keys) {
    const auto given = value.find(one.key.name);
    if (given)
      one.read(section, one.key, *given, context);
    else if (one.key.is_required)
      value.at(one.key.name);
  }
}

/// The parameters of a choice such as `{jacobi: 3}`; a single value is assigned to the first key. Throws InputError.
template <class Section>
void read_parameters(Section& section, const Keys<Section>& keys, const YamlValue& value, const ParseContext& context) {
  if (value.is_scalar() && !keys.empty())
    keys.front().read(section, keys.front().key, value, context);
  else
    read_section(section, keys, value, context);
}

/// Parses `section` with the keys of its class, `static Keys<Section> keys()`. If keys depend on each other, the class
/// also has `void finish(const YamlValue&)`, called after all keys are read. Throws InputError.
template <class Section>
void parse_section(Section& section, const YamlValue& value, const ParseContext& context) {
  read_section(section, Section::keys(), value, context);
  if constexpr (requires { section.finish(value); }) section.finish(value);
}

}  // namespace armilla::job
