#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/parse/sections.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

/// Types of values that files contain, which are also the keys of inputs.
constexpr std::array<ValueSort, 4> kFileSorts{ValueSort::kMap, ValueSort::kAlm, ValueSort::kPoints, ValueSort::kValues};
/// Possible keys of the first operand; others, such as `with` and `mask`, are options.
const std::vector<std::string> kFirstKeys{"map", "alm", "values", "points"};
/// The form of an operand is one type or several: "alm or values".
bool is_in_files(const Key& operand) {
  return std::ranges::any_of(kFileSorts,
                             [&](ValueSort sort) { return operand.form.find(sort_name(sort)) != std::string::npos; });
}

/// The types of files to which an input key applies.
struct KeySorts {
  const char* key;
  std::vector<ValueSort> sorts;
};
const std::vector<KeySorts>& key_sorts() {
  using enum ValueSort;
  static const std::vector<KeySorts> table{{"fields", {kMap, kAlm, kValues}},
                                           {"spin", {kMap, kAlm, kValues}},
                                           {"bad_data", {kMap}},
                                           {"good_pixels", {kMap}},
                                           {"remove_monopole", {kMap}},
                                           {"repeated_longitude", {kMap}},
                                           {"hdu", {kMap, kAlm}},
                                           {"lmax", {kAlm}},
                                           {"mmax", {kAlm}},
                                           {"convention", {kAlm}},
                                           {"coordinates", {kPoints, kValues}},
                                           {"columns", {kMap, kPoints, kValues}},
                                           {"value_columns", {kValues}},
                                           {"coordsys", {kMap, kPoints, kValues}},
                                           {"polcconv", {kMap, kValues}},
                                           {"ordering", {kMap}},
                                           {"nside", {kMap}},
                                           {"bad_value", {kMap}},
                                           {"units", {kMap, kValues}}};
  return table;
}

bool has_key(const std::vector<Key>& keys, const std::string& name) {
  return std::ranges::find(keys, name, &Key::name) != keys.end();
}

}  // namespace

bool is_flat_section(const Key& key) { return key.type == KeyType::kSection && key.form == "section"; }

std::string option_name(const std::vector<std::string>& path) {
  std::string name = fmt::format("--{}", fmt::join(path, "-"));
  std::ranges::replace(name, '_', '-');
  return name;
}

std::vector<Key> first_operands(const OperationKind& kind) {
  std::vector<Key> keys;
  for (const Key& key : kind.keys)
    if (key.type == KeyType::kOperand && std::ranges::find(kFirstKeys, key.name) != kFirstKeys.end() &&
        is_in_files(key)) {
      // `points` of synthesis_at is an option in addition to its alm.
      if (!keys.empty() && keys.front().is_required) break;
      keys.push_back(key);
    }
  return keys;
}

std::vector<Key> file_operands(const OperationKind& kind) {
  std::vector<Key> keys;
  for (const Key& key : kind.keys)
    if (key.type == KeyType::kOperand && is_in_files(key)) keys.push_back(key);
  return keys;
}

bool is_key_of(const std::string& key, ValueSort sort) {
  const auto row = std::ranges::find(key_sorts(), key, &KeySorts::key);
  return row != key_sorts().end() && std::ranges::find(row->sorts, sort) != row->sorts.end();
}

std::string sorts_of_key(const std::string& key) {
  const auto row = std::ranges::find(key_sorts(), key, &KeySorts::key);
  std::vector<std::string> names;
  if (row != key_sorts().end())
    for (const ValueSort sort : row->sorts) names.push_back(sort == ValueSort::kMap ? "maps" : sort_name(sort));
  if (is_of_analysis(key)) names.emplace_back("maps that are analysed first");
  return fmt::format("{}", fmt::join(names, " and "));
}

bool is_of_analysis(const std::string& key) { return key == "lmax" || key == "mmax" || key == "method"; }

bool holds_for(const OperationKind& kind, const std::string& key, const std::string& operand) {
  const std::vector<Key> first = first_operands(kind);
  if (has_key(first, operand)) return true;
  if (key == "good_pixels") return false;  // the name of one value
  const bool has_same_components = operand == "with" || operand == "reference";
  return has_same_components || (key != "fields" && key != "spin" && key != "remove_monopole");
}

std::vector<Key> input_keys_of(const OperationKind& kind) {
  std::vector<ValueSort> sorts;
  for (const Key& operand : file_operands(kind))
    for (const ValueSort sort : kFileSorts)
      if (operand.form.find(sort_name(sort)) != std::string::npos) sorts.push_back(sort);
  const bool takes_alm = std::ranges::find(sorts, ValueSort::kAlm) != sorts.end();
  if (takes_alm) sorts.push_back(ValueSort::kMap);  // analysed first
  std::vector<Key> keys;
  for (Key& key : input_keys()) {
    const bool applies = std::ranges::any_of(sorts, [&](ValueSort sort) { return is_key_of(key.name, sort); });
    if (!applies) continue;
    if (key.name == "lmax") key.help = "largest degree of the coefficients read, or of the analysis of an input map";
    if (key.name == "fields") key.help = "components: T, Q,U or T,Q,U of a map or of values; T, E,B or T,E,B of alm";
    if (key.name == "spin") key.help = "spin of the pair that is read, also with --fields; 0: scalars";
    if (key.name == "good_pixels")
      key.help = "with --bad-data mask: name of the resulting mask, which is 1 where all components are finite";
    if (key.name == "mmax") key.help = "largest order of the coefficients read, or of the analysis of an input map";
    keys.push_back(std::move(key));
  }
  if (takes_alm)
    keys.push_back({.name = "method",
                    .help = "method for the analysis of an input map",
                    .form = "method",
                    .fallback = "jacobi=3 on HEALPix, otherwise quadrature"});
  return keys;
}

bool is_command(const OperationKind& kind) {
  return std::ranges::all_of(
      kind.keys, [](const Key& key) { return key.type != KeyType::kOperand || !key.is_required || is_in_files(key); });
}

}  // namespace armilla::job
