#include <armilla/io/component_spins.hpp>
#include <armilla/io/field_names.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace armilla::io {

namespace {

using NameList = std::vector<std::string>;

/// Sets the spins unless all are unknown.
void set(FieldMetadata& metadata, std::vector<Index> spins, std::vector<PairRole> roles) {
  const bool any = std::ranges::any_of(spins, [](Index spin) { return spin != kUnknownSpin; });
  metadata.spins = any ? std::move(spins) : std::vector<Index>();
  metadata.roles = any ? std::move(roles) : std::vector<PairRole>();
}

const NameList& names_in_file(const FieldMetadata& metadata) {
  return metadata.columns.empty() ? metadata.fields : metadata.columns;
}

// Not for odd spins: U, V is a wind.
PairRole role_of_name(const FieldMetadata& metadata, std::size_t component, Index spin) {
  const NameList& names = names_in_file(metadata);
  if (spin % 2 != 0) return PairRole::kUnknown;
  const std::string name = component < names.size() ? stokes_of_column(names[component]) : std::string();
  if (name == "Q" || name == "E") return PairRole::kFirst;
  return name == "U" || name == "B" ? PairRole::kSecond : PairRole::kUnknown;
}

}  // namespace

void set_spins(FieldMetadata& metadata, std::vector<Index> spins, std::vector<PairRole> known) {
  std::vector<PairRole> roles(spins.size(), PairRole::kUnknown);
  const auto known_role = [&](std::size_t i) {
    return i < known.size() && known[i] != PairRole::kUnknown ? known[i] : role_of_name(metadata, i, spins[i]);
  };
  for (std::size_t i = 0; i < spins.size(); ++i) {
    if (spins[i] <= 0) continue;
    roles[i] = known_role(i);
    if (i + 1 == spins.size() || spins[i + 1] != spins[i]) continue;
    const bool is_reversed = roles[i] == PairRole::kSecond && known_role(i + 1) == PairRole::kFirst;
    roles[i] = is_reversed ? PairRole::kSecond : PairRole::kFirst;
    roles[++i] = is_reversed ? PairRole::kFirst : PairRole::kSecond;
  }
  set(metadata, std::move(spins), std::move(roles));
}

void set_spins_of_names(FieldMetadata& metadata, FileKind kind) {
  NameList names = names_in_file(metadata);
  for (std::string& name : names)
    if (name == "I") name = "T";
  std::vector<Index> spins(names.size(), kUnknownSpin);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "T") spins[i] = 0;
    const bool is_pair = kind == FileKind::kAlm && i > 0 && names[i - 1] == "E" && names[i] == "B";
    if (is_pair) spins[i - 1] = spins[i] = 2;
  }
  if (names == NameList{"T", "Q", "U"}) spins = {0, 2, 2};
  if (names == NameList{"Q", "U"}) spins = {2, 2};
  set_spins(metadata, std::move(spins));
}

void set_spins_of_columns(FieldMetadata& metadata, NameCase names) {
  std::vector<Index> spins;
  std::vector<PairRole> roles;
  for (const std::string& column : metadata.columns) {
    const bool counts = names == NameCase::kAny || upper(column) == column;
    const std::string field = counts ? stokes_of_column(column) : std::string();
    spins.push_back(field == "T" ? 0 : field == "Q" || field == "U" ? 2 : kUnknownSpin);
    roles.push_back(field == "Q" ? PairRole::kFirst : field == "U" ? PairRole::kSecond : PairRole::kUnknown);
  }
  set(metadata, std::move(spins), std::move(roles));
}

Index spin_of(const FieldMetadata& metadata, std::size_t component) {
  return component < metadata.spins.size() ? metadata.spins[component] : kUnknownSpin;
}

PairRole role_of(const FieldMetadata& metadata, std::size_t component) {
  return component < metadata.roles.size() ? metadata.roles[component] : PairRole::kUnknown;
}

bool are_reversed(const FieldMetadata& metadata, std::size_t first, std::size_t second) {
  return role_of(metadata, first) == PairRole::kSecond && role_of(metadata, second) != PairRole::kSecond;
}

void order_pairs(FieldMetadata& metadata) {
  for (std::size_t c = 0; c + 1 < metadata.spins.size(); ++c) {
    if (metadata.spins[c] <= 0 || metadata.spins[c] != metadata.spins[c + 1]) continue;
    if (are_reversed(metadata, c, c + 1)) {
      std::swap(metadata.fields[c], metadata.fields[c + 1]);
      if (c + 1 < metadata.units.size()) std::swap(metadata.units[c], metadata.units[c + 1]);
      if (c + 1 < metadata.columns.size()) std::swap(metadata.columns[c], metadata.columns[c + 1]);
      std::swap(metadata.roles[c], metadata.roles[c + 1]);
    }
    ++c;
  }
}

bool knows_all_spins(const FieldMetadata& metadata) {
  return !metadata.spins.empty() && std::ranges::count(metadata.spins, kUnknownSpin) == 0;
}

}  // namespace armilla::io
