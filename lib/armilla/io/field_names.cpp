#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>

#include <algorithm>
#include <array>
#include <cctype>
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
    const auto comma = text.find(',');
    parts.push_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::string join_list(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ",")); }

std::vector<std::string> per_component(const std::vector<std::string>& texts, std::size_t components) {
  if (texts.size() == components && components != 1) return texts;
  if (texts.size() != 1) return {};
  std::vector<std::string> parts = split_list(texts.front());
  if (parts.size() == components) return parts;
  return std::vector<std::string>(components, texts.front());
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

std::string column_of_field(const std::vector<std::string>& fields, std::size_t component) {
  const std::string& field = fields[component];
  if (field == "T") return "TEMPERATURE";
  if ((field == "Q" || field == "U") && is_polarised(fields)) return field + "_POLARISATION";
  return field;
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

bool is_polarised(const std::vector<std::string>& fields) {
  const auto has = [&](const char* name) { return std::ranges::find(fields, name) != fields.end(); };
  return has("Q") || has("E") || has("B") || (has("U") && !has("V"));
}

std::string coordsys_of(std::string_view text) {
  const std::string name = upper(trimmed(text));
  for (const auto& [spelling, letter] : {Names{"G", "G"},
                                         {"GALACTIC", "G"},
                                         {"E", "E"},
                                         {"ECLIPTIC", "E"},
                                         {"C", "C"},
                                         {"Q", "C"},
                                         {"CELESTIAL", "C"},
                                         {"EQUATORIAL", "C"},
                                         {"ICRS", "C"},
                                         {"FK5", "C"},
                                         {"J2000", "C"},
                                         {"UNKNOWN", ""},
                                         {"UNSPECIFIED", ""}})
    if (name == spelling) return std::string(letter);
  return trimmed(text);
}

std::string polcconv_of(std::string_view text, const std::string& path) {
  const std::string name = upper(trimmed(text));
  if (name.empty() || name == "UNKNOWN") return {};
  if (name == "COSMO" || name == "IAU") return name;
  throw core::InputError(fmt::format("'{}': POLCCONV = '{}' is not a polarisation convention: it must be COSMO or IAU",
                                     path, core::excerpt(name)));
}

Ordering ordering_of(std::string_view text, const std::string& path) {
  const std::string name = upper(trimmed(text));
  if (name == "RING") return Ordering::kRing;
  if (name == "NESTED" || name == "NEST") return Ordering::kNested;
  throw core::InputError(fmt::format("'{}': ORDERING = '{}' is not a pixel ordering: it must be RING or NESTED", path,
                                     core::excerpt(name)));
}

std::string_view ordering_name(Ordering ordering) { return ordering == Ordering::kRing ? "RING" : "NESTED"; }

std::string unit_of(std::string_view text) {
  const std::string name = trimmed(text);
  // HEALPix writes '^2' for the square of an unknown unit.
  return upper(name) == "UNKNOWN" || name == "^2" ? std::string() : name;
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
