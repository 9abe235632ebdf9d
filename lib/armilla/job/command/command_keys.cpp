#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/parse/sections.hpp>

#include <algorithm>
#include <array>
#include <map>

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

bool is_of_places(const std::string& key) { return key == "coordinates" || key == "columns" || key == "coordsys"; }

std::vector<Key> input_keys_of(const OperationKind& kind) {
  const std::vector<Key> operands = first_operands(kind);
  const auto takes = [&](ValueSort sort) {
    return std::ranges::any_of(operands, [&](const Key& key) { return key.form == sort_name(sort); });
  };
  const bool takes_alm = takes(ValueSort::kAlm), takes_map = takes(ValueSort::kMap) || takes_alm;
  const bool takes_points = std::ranges::any_of(kind.keys, [](const Key& key) {
    return key.type == KeyType::kOperand && key.form == sort_name(ValueSort::kPoints);
  });
  const bool takes_values = takes(ValueSort::kValues), takes_places = takes_values || takes_points;
  const std::map<std::string, bool> wanted{{"fields", !operands.empty()},
                                           {"spin", !operands.empty()},
                                           {"bad_data", takes_map},
                                           {"good_pixels", takes_map},
                                           {"remove_monopole", takes_map},
                                           {"repeated_longitude", takes_map},
                                           {"lmax", takes_alm},
                                           {"mmax", takes_alm},
                                           {"convention", takes_alm},
                                           {"coordinates", takes_places},
                                           {"columns", takes_places},
                                           {"value_columns", takes_values},
                                           {"coordsys", takes_places},
                                           {"polcconv", takes_values}};
  std::vector<Key> keys;
  for (Key& key : input_keys()) {
    const auto found = wanted.find(key.name);
    if (found == wanted.end() || !found->second || has_key(kind.keys, key.name)) continue;
    if (key.name == "lmax") key.help = "largest degree of the coefficients read, or of the analysis of an input map";
    if (key.name == "fields") key.help = "components: T, Q,U or T,Q,U of a map or of values; T, E,B or T,E,B of alm";
    if (key.name == "spin") key.help = "instead of --fields: two components of this spin; 0: one scalar";
    if (key.name == "good_pixels")
      key.help = "with --bad-data mask: name of the resulting mask, which is 1 where all components are finite";
    if (key.name == "mmax") key.help = "largest order of the coefficients read, or of the analysis of an input map";
    keys.push_back(std::move(key));
  }
  if (takes_alm && !has_key(kind.keys, "method"))
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
