#pragma once

#include <armilla/core/types.hpp>
#include <armilla/job/parse/document.hpp>
#include <armilla/job/parse/parse_values.hpp>

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

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

namespace detail {

template <class M>
struct Plain {
  using Type = M;
};
template <class M>
struct Plain<std::optional<M>> {
  using Type = M;
};
template <class M>
using PlainType = typename Plain<M>::Type;
template <class M>
inline constexpr bool kIsOptional = !std::is_same_v<M, PlainType<M>>;

std::string text_of(double number);

}  // namespace detail

/// Functions that create the rows of Keys<Section>. The default of a key whose member is not a std::optional is the
/// initial value of the member, unless required() follows.
template <class Section>
struct KeyMakers {
  using Row = KeyOf<Section>;

  // Limits for keys without a range.
  static constexpr double kAny = std::numeric_limits<double>::max();
  static constexpr Index kAnyWhole = std::numeric_limits<Index>::max();

  /// A key read by a custom function: `read(section, value, context)`.
  template <class Read>
  static Row other(std::string name, std::string form, std::string help, Read read) {
    return {{.name = std::move(name), .help = std::move(help), .form = std::move(form)},
            [read](Section& section, const Key&, const YamlValue& value, const ParseContext& context) {
              read(section, value, context);
            }};
  }

  template <class M>
  static Row whole(std::string name, M Section::*member, Index first, Index last, std::string help) {
    Row row{{.name = std::move(name), .type = KeyType::kWhole, .help = std::move(help), .first = first, .last = last},
            [member](Section& section, const Key& key, const YamlValue& value, const ParseContext&) {
              section.*member = static_cast<detail::PlainType<M>>(read_whole(key, value));
            }};
    if constexpr (!detail::kIsOptional<M>) row.key.fallback = detail::text_of(static_cast<double>(Section{}.*member));
    return row;
  }

  template <class M>
  static Row number(std::string name, M Section::*member, double min, double max, std::string help) {
    Row row{{.name = std::move(name), .type = KeyType::kNumber, .help = std::move(help), .min = min, .max = max},
            [member](Section& section, const Key& key, const YamlValue& value, const ParseContext&) {
              section.*member = read_number(key, value);
            }};
    if constexpr (!detail::kIsOptional<M>) row.key.fallback = detail::text_of(Section{}.*member);
    return row;
  }

  /// A bool, or an enum with one value for false and one for true.
  template <class M>
  static Row flag(std::string name, M Section::*member, std::string help, detail::PlainType<M> no = M(0),
                  detail::PlainType<M> yes = M(1)) {
    Row row{{.name = std::move(name), .type = KeyType::kFlag, .help = std::move(help)},
            [member, no, yes](Section& section, const Key&, const YamlValue& value, const ParseContext&) {
              section.*member = value.yes_or_no() ? yes : no;
            }};
    row.key.fallback = Section{}.*member == yes ? "true" : "false";
    return row;
  }

  /// An enum whose values 0, 1, .. have these names; std::string takes the name itself.
  template <class M>
  static Row choice(std::string name, M Section::*member, std::vector<std::string> names, std::string help) {
    Row row{{.name = std::move(name), .type = KeyType::kChoice, .help = std::move(help), .choices = std::move(names)},
            [member](Section& section, const Key& key, const YamlValue& value, const ParseContext&) {
              const std::size_t chosen = value.choice(key.choices);
              if constexpr (std::is_same_v<M, std::string>)
                section.*member = key.choices[chosen];
              else
                section.*member = static_cast<detail::PlainType<M>>(chosen);
            }};
    if constexpr (std::is_same_v<M, std::string>)
      row.key.fallback = Section{}.*member;
    else if constexpr (!detail::kIsOptional<M>)
      row.key.fallback = row.key.choices[static_cast<std::size_t>(Section{}.*member)];
    return row;
  }

  /// A std::string.
  template <class M>
  static Row text(std::string name, M Section::*member, std::string help) {
    return {{.name = std::move(name), .type = KeyType::kText, .help = std::move(help)},
            [member](Section& section, const Key&, const YamlValue& value, const ParseContext&) {
              section.*member = value.text();
            }};
  }

  /// The name of an operand of the step; a std::string. steps::Step::operand() is for the class of an operation.
  template <class M>
  static Row value_name(std::string name, M Section::*member, ValueSort sort, std::string help) {
    Row row = text(std::move(name), member, std::move(help));
    row.key.type = KeyType::kOperand;
    row.key.form = sort_name(sort);
    return row;
  }
  /// The name of the result of the step, like operand().
  template <class M>
  static Row result_name(std::string name, M Section::*member, std::string help) {
    Row row = text(std::move(name), member, std::move(help));
    row.key.type = KeyType::kResult;
    return row;
  }

  /// A list of names; at least one.
  template <class M>
  static Row texts(std::string name, M Section::*member, std::string help) {
    return {{.name = std::move(name), .type = KeyType::kTexts, .help = std::move(help)},
            [member](Section& section, const Key&, const YamlValue& value, const ParseContext&) {
              section.*member = value.texts();
            }};
  }

  /// A value of the job or a file: a Reference, or a std::optional of one.
  template <class M>
  static Row reference(std::string name, M Section::*member, ValueSort sort, std::string help) {
    return {{.name = std::move(name),
             .type = KeyType::kReference,
             .help = std::move(help),
             .form = fmt::format("file, or name of {}", with_article(sort_name(sort)))},
            [member](Section& section, const Key&, const YamlValue& value, const ParseContext& context) {
              section.*member = context.reference(value);
            }};
  }

  /// A FileSpec, or a std::optional of one.
  template <class M>
  static Row file(std::string name, M Section::*member, std::string help) {
    return {{.name = std::move(name), .type = KeyType::kFile, .help = std::move(help)},
            [member](Section& section, const Key&, const YamlValue& value, const ParseContext& context) {
              section.*member = FileSpec{value.place(), context.input_path(value)};
            }};
  }

  /// A GridSpec, or a std::optional of one.
  template <class M>
  static Row grid(std::string name, M Section::*member, std::string help) {
    return {{.name = std::move(name), .type = KeyType::kGrid, .help = std::move(help)},
            [member](Section& section, const Key&, const YamlValue& value, const ParseContext& context) {
              const GridSpec grid = parse_grid(value, context);
              section.*member = grid;
              if constexpr (requires { section.read(grid); }) section.read(grid);
            }};
  }

  /// A member that has its own keys(), or a std::optional of one.
  template <class M>
  static Row section(std::string name, M Section::*member, std::string help) {
    using Member = detail::PlainType<M>;
    return {{.name = std::move(name),
             .type = KeyType::kSection,
             .help = std::move(help),
             .form = "section",
             .members = described(Member::keys())},
            [member](Section& section, const Key&, const YamlValue& value, const ParseContext& context) {
              Member parsed;
              parse_section(parsed, value, context);
              section.*member = std::move(parsed);
            }};
  }

  /// The keys `fields` and `spin`, of a FieldsSpec.
  template <class M>
  static Row fields(M Section::*member, std::string help) {
    return other("fields", "list of [fields](job_reference.md#fields)", std::move(help),
                 [member](Section& section, const YamlValue& value, const ParseContext&) {
                   parse_fields(value, section.*member);
                 });
  }
  template <class M>
  static Row spin(M Section::*member) {
    return {{.name = "spin",
             .type = KeyType::kWhole,
             .help = "instead of `fields`: two components of this spin; 0: one scalar",
             .last = kLargestSpin},
            [member](Section& section, const Key& key, const YamlValue& value, const ParseContext&) {
              if (!(section.*member).names.empty()) value.fail("cannot be combined with 'fields': use one of the two");
              (section.*member).spin = read_whole(key, value);
            }};
  }

  /// The keys `lmax` and `mmax`, which must be in this order, of Limits or a std::optional of them.
  template <class M>
  static Row lmax(M Section::*member, std::string help = "largest degree") {
    return {{.name = "lmax", .type = KeyType::kWhole, .help = std::move(help), .last = kLargestDegree},
            [member](Section& section, const Key& key, const YamlValue& value, const ParseContext&) {
              const Index lmax = read_whole(key, value);
              section.*member = Limits{lmax, lmax};
            }};
  }
  template <class M>
  static Row mmax(M Section::*member) {
    return {
        {.name = "mmax", .type = KeyType::kWhole, .help = "largest order", .fallback = "lmax", .last = kLargestDegree},
        [member](Section& section, const Key& key, const YamlValue& value, const ParseContext&) {
          read_mmax(key, value, section.*member);
        }};
  }

 private:
  static void read_mmax(const Key& key, const YamlValue& value, Limits& limits) {
    limits.mmax = read_whole(key, value);
    check_mmax(value, limits);
  }
  static void read_mmax(const Key& key, const YamlValue& value, std::optional<Limits>& limits) {
    if (!limits) value.fail("requires lmax: set both");
    read_mmax(key, value, *limits);
  }
};

}  // namespace armilla::job
