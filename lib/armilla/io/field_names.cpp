#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace armilla::io {

namespace {

using Names = std::pair<std::string_view, std::string_view>;

constexpr std::array<std::string_view, 6> kHealpyOrder{"TT", "EE", "BB", "TE", "EB", "TB"};

std::vector<std::string> numbered_fields(Index components) {
  std::vector<std::string> fields;
  for (Index i = 1; i <= components; ++i) fields.push_back(fmt::format("FIELD_{}", i));
  return fields;
}

}  // namespace

std::string trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == '\0' || std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const auto quote = text.starts_with('"') ? text.find('"', 1) : std::string_view::npos;
    const auto comma = text.find(',', quote == std::string_view::npos ? 0 : quote);
    const std::string part = trimmed(text.substr(0, comma));
    const bool is_quoted = quote != std::string_view::npos && quote + 1 == part.size();
    parts.push_back(is_quoted ? part.substr(1, part.size() - 2) : part);
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::string join_list(const std::vector<std::string>& parts) {
  std::string list;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) list += ',';
    list += part.find(',') == std::string::npos ? part : fmt::format("\"{}\"", part);
  }
  return list;
}

std::vector<std::string> per_component(const std::vector<std::string>& texts, std::size_t components) {
  if (texts.size() == components) return texts;
  if (texts.size() != 1) return {};
  std::vector<std::string> parts = split_list(texts.front());
  if (parts.size() == components) return parts;
  return std::vector<std::string>(components, texts.front());
}

std::vector<std::string> units_in_list(std::string_view text, std::size_t components) {
  std::vector<std::string> units = split_list(text);
  if (units.size() != components) units.assign(components, units.size() == 1 ? units.front() : trimmed(text));
  std::ranges::transform(units, units.begin(), unit_of);
  return units;
}

std::string field_of_column(std::string_view column) {
  std::string name = upper(trimmed(column));
  std::ranges::replace(name, '-', '_');
  std::ranges::replace(name, ' ', '_');
  for (const std::string_view t : {"T", "I", "TEMPERATURE", "I_STOKES", "STOKES_I", "INTENSITY", "SIGNAL"})
    if (name == t) return "T";
  for (const std::string_view letter : {"Q", "U"})
    for (const std::string_view form : {"{}", "{}_POLARISATION", "{}_POLARIZATION", "{}_STOKES", "STOKES_{}"})
      if (name == fmt::format(fmt::runtime(form), letter)) return std::string(letter);
  return trimmed(column);
}

std::string stokes_of_column(std::string_view column) {
  const std::string name = upper(trimmed(column));
  constexpr std::string_view kInpainted = "_INP";
  if (!name.ends_with(kInpainted)) return field_of_column(column);
  const std::string field = field_of_column(name.substr(0, name.size() - kInpainted.size()));
  return field == "T" || field == "Q" || field == "U" ? field : trimmed(column);
}

std::vector<std::string> fields_of_columns(const std::vector<std::string>& columns) {
  std::vector<std::string> usual;
  for (const std::string& column : columns) usual.push_back(field_of_column(column));
  std::vector<std::string> fields = usual;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (std::ranges::count(usual, usual[i]) > 1 && columns[i] != usual[i]) fields[i] = trimmed(columns[i]);
  return fields;
}

std::vector<Index> components_named(const FieldMetadata& metadata, std::string_view name) {
  const std::vector<std::string>& fields = metadata.fields;
  const std::vector<std::string>& columns = metadata.columns;
  const auto found = [](const std::vector<std::string>& names, const auto& matches) {
    std::vector<Index> components;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (matches(names[i])) components.push_back(static_cast<Index>(i));
    return components;
  };
  const std::string field = field_of_column(name);
  std::vector<Index> components = found(columns, [&](const std::string& other) { return trimmed(other) == name; });
  if (components.empty()) components = found(fields, [&](const std::string& other) { return other == name; });
  if (components.empty())
    components = found(columns, [&](const std::string& other) { return upper(trimmed(other)) == upper(name); });
  if (components.empty())
    components = found(columns, [&](const std::string& other) { return field_of_column(other) == field; });
  // In files without columns, only I is another name of T: TEMPERATURE may be that of air.
  if (components.empty())
    components = found(fields, [&](const std::string& other) { return (other == "I" ? "T" : other) == field; });
  return components;
}

std::string names_of(const FieldMetadata& metadata, const std::vector<Index>& components) {
  const std::vector<std::string>& names = metadata.columns.empty() ? metadata.fields : metadata.columns;
  std::vector<std::string> texts;
  for (const Index component : components) texts.push_back(names[static_cast<std::size_t>(component)]);
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string column_of_field(const FieldMetadata& metadata, std::size_t component) {
  const std::string& field = metadata.fields[component];
  if (field == "T") return "TEMPERATURE";
  const bool is_polarisation = component < metadata.spins.size() && metadata.spins[component] == 2;
  return is_polarisation && (field == "Q" || field == "U") ? field + "_POLARISATION" : field;
}

std::vector<std::string> default_map_fields(Index components) {
  if (components == 1) return {"T"};
  if (components == 2) return {"Q", "U"};
  if (components == 3) return {"T", "Q", "U"};
  return numbered_fields(components);
}

std::vector<std::string> default_alm_fields(Index components) {
  if (components == 1) return {"T"};
  if (components == 2) return {"E", "B"};
  if (components == 3) return {"T", "E", "B"};
  return numbered_fields(components);
}

std::string coordsys_of(std::string_view text) {
  const std::string name = upper(trimmed(text));
  for (const auto& [spelling, letter] : {Names{"G", "G"},
                                         {"GAL", "G"},
                                         {"GALACTIC", "G"},
                                         {"E", "E"},
                                         {"ECL", "E"},
                                         {"ECLIPTIC", "E"},
                                         {"C", "C"},
                                         {"Q", "C"},
                                         {"CEL", "C"},
                                         {"CELESTIAL", "C"},
                                         {"CELESTIAL2000", "C"},
                                         {"EQU", "C"},
                                         {"EQUATORIAL", "C"},
                                         {"ICRS", "C"},
                                         {"FK5", "C"},
                                         {"J2000", "C"},
                                         {"UNKNOWN", ""},
                                         {"UNSPECIFIED", ""}})
    if (name == spelling) return std::string(letter);
  return trimmed(text);
}

Ordering ordering_of(std::string_view text, const std::string& path) {
  const std::string name = upper(trimmed(text));
  if (name == "RING") return Ordering::kRing;
  if (name == "NESTED" || name == "NEST") return Ordering::kNested;
  throw core::InputError(fmt::format("'{}': ORDERING = '{}' is not a pixel ordering: it must be RING or NESTED", path,
                                     core::excerpt(name)));
}

std::string_view ordering_name(Ordering ordering) { return ordering == Ordering::kRing ? "RING" : "NESTED"; }

double header_number(std::string_view text, const char* keyword, const char* key, const std::string& path) {
  const std::string number = trimmed(text);
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0')
    throw core::InputError(core::ErrorContext{
        .text = fmt::format("'{}': {} = '{}' is not a number: override it with {}, or correct the header", path,
                            keyword, core::excerpt(number), core::mention("", key, "{force: N}"))});
  return value;
}

Index header_index(std::string_view text, const char* keyword, const char* key, const std::string& path) {
  const double value = header_number(text, keyword, key, path);
  if (value != std::floor(value) || std::abs(value) > 9e15)
    throw core::InputError(fmt::format("'{}': {} = {} is not an integer: correct the header", path, keyword, value));
  return static_cast<Index>(value);
}

std::string unit_of(std::string_view text) {
  const std::string name = trimmed(text);
  // HEALPix writes '^2' for the square of an unknown unit.
  return upper(name) == "UNKNOWN" || name == "^2" ? std::string() : name;
}

std::string fits_unit(std::string_view unit) {
  std::string result;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const std::string_view two = unit.substr(i, 2);
    const bool is_micro = two == "\u00b5" || two == "\u03bc";  // the micro sign and the Greek letter, of two bytes
    result += is_micro ? 'u' : unit[i];
    if (is_micro) ++i;
  }
  return result;
}

bool fits_can_hold(std::string_view text) {
  constexpr std::ptrdiff_t kCharacters = 68;
  return std::ranges::all_of(text, [](char letter) { return letter >= ' ' && letter <= '~'; }) &&
         std::ssize(text) + std::ranges::count(text, '\'') <= kCharacters;
}

std::string spectrum_of_column(std::string_view column) {
  const std::string name = upper(trimmed(column));
  for (const auto& [spelling, spectrum] : {Names{"TEMPERATURE", "TT"},
                                           {"GRADIENT", "EE"},
                                           {"CURL", "BB"},
                                           {"G-T", "TE"},
                                           {"C-T", "TB"},
                                           {"C-G", "EB"},
                                           {"ET", "TE"},
                                           {"BT", "TB"},
                                           {"BE", "EB"}})
    if (name == spelling) return std::string(spectrum);
  for (const std::string_view spectrum : kHealpyOrder)
    if (name == spectrum) return name;
  return trimmed(column);
}

std::vector<std::size_t> healpy_order(const std::vector<std::string>& names) {
  const auto place = [&](std::size_t i) {
    return std::ranges::find(kHealpyOrder, spectrum_of_column(names[i])) - kHealpyOrder.begin();
  };
  std::vector<std::size_t> order(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, place);
  return order;
}

}  // namespace armilla::io
