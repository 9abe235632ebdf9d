#pragma once

#include <armilla/core/types.hpp>
#include <armilla/job/parse/keys.hpp>

#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

/// The functions by which sections declare their keys.
namespace armilla::job {

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
            stored(member, [](const Key& key, const YamlValue& value, const ParseContext&) {
              return static_cast<detail::PlainType<M>>(read_whole(key, value));
            })};
    if constexpr (!detail::kIsOptional<M>) row.key.fallback = fmt::format("{}", Section{}.*member);
    return row;
  }

  template <class M>
  static Row number(std::string name, M Section::*member, double min, double max, std::string help) {
    Row row{{.name = std::move(name), .type = KeyType::kNumber, .help = std::move(help), .min = min, .max = max},
            stored(member, [](const Key& key, const YamlValue& value, const ParseContext&) {
              return read_number(key, value);
            })};
    if constexpr (!detail::kIsOptional<M>) row.key.fallback = fmt::format("{}", Section{}.*member);
    return row;
  }

  /// A bool, or an enum with one value for false and one for true.
  template <class M>
  static Row flag(std::string name, M Section::*member, std::string help, detail::PlainType<M> no = M(0),
                  detail::PlainType<M> yes = M(1)) {
    Row row{{.name = std::move(name), .type = KeyType::kFlag, .help = std::move(help)},
            stored(member, [no, yes](const Key&, const YamlValue& value, const ParseContext&) {
              return value.yes_or_no() ? yes : no;
            })};
    row.key.fallback = Section{}.*member == yes ? "true" : "false";
    return row;
  }

  /// An enum whose values 0, 1, .. have these names; std::string takes the name itself.
  template <class M>
  static Row choice(std::string name, M Section::*member, std::vector<std::string> names, std::string help) {
    Row row{{.name = std::move(name), .type = KeyType::kChoice, .help = std::move(help), .choices = std::move(names)},
            stored(member, [](const Key& key, const YamlValue& value, const ParseContext&) {
              const std::size_t chosen = value.choice(key.choices);
              if constexpr (std::is_same_v<M, std::string>)
                return key.choices[chosen];
              else
                return static_cast<detail::PlainType<M>>(chosen);
            })};
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
            stored(member, [](const Key&, const YamlValue& value, const ParseContext&) { return value.text(); })};
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
            stored(member, [](const Key&, const YamlValue& value, const ParseContext&) { return value.texts(); })};
  }

  /// A value of the job or a file: a Reference, or a std::optional of one.
  template <class M>
  static Row reference(std::string name, M Section::*member, ValueSort sort, std::string help) {
    return {{.name = std::move(name),
             .type = KeyType::kReference,
             .help = std::move(help),
             .form = fmt::format("file, or name of {}", with_article(sort_name(sort)))},
            stored(member, [](const Key&, const YamlValue& value, const ParseContext& context) {
              return context.reference(value);
            })};
  }

  /// A FileSpec, or a std::optional of one.
  template <class M>
  static Row file(std::string name, M Section::*member, std::string help) {
    return {{.name = std::move(name), .type = KeyType::kFile, .help = std::move(help)},
            stored(member, [](const Key&, const YamlValue& value, const ParseContext& context) {
              return FileSpec{value.place(), context.input_path(value)};
            })};
  }

  /// A file or a list of files; a FileSpec, or a std::optional of one.
  template <class M>
  static Row files(std::string name, M Section::*member, std::string help) {
    return {
        {.name = std::move(name), .type = KeyType::kFile, .help = std::move(help), .form = "file, or list of files"},
        stored(member, [](const Key&, const YamlValue& value, const ParseContext& context) {
          return context.input_files(value);
        })};
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
            stored(member, [](const Key&, const YamlValue& value, const ParseContext& context) {
              Member parsed;
              parse_section(parsed, value, context);
              return parsed;
            })};
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
             .help = "two components of this spin; with `fields`, the last two of these, where the others are scalars. "
                     "0: one scalar; with `fields`, all of these are scalars",
             .last = kLargestSpin},
            [member](Section& section, const Key& key, const YamlValue& value, const ParseContext&) {
              set_spin(value, read_whole(key, value), section.*member);
            }};
  }

  /// The keys `lmax` and `mmax`, which must be in this order, of Limits or a std::optional of them.
  template <class M>
  static Row lmax(M Section::*member, std::string help = "largest degree") {
    return {{.name = "lmax", .type = KeyType::kWhole, .help = std::move(help), .last = kLargestDegree},
            stored(member, [](const Key& key, const YamlValue& value, const ParseContext&) {
              const Index lmax = read_whole(key, value);
              return Limits{lmax, lmax};
            })};
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
  /// Stores the result of read(key, value, context) in a member.
  template <class M, class Read>
  static auto stored(M Section::*member, Read read) {
    return [member, read](Section& section, const Key& key, const YamlValue& value, const ParseContext& context) {
      section.*member = read(key, value, context);
    };
  }
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
