#include <armilla/io/component_spins.hpp>
#include <armilla/io/field_names.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace armilla::io {

namespace {

using NameList = std::vector<std::string>;

/// Sets the spins unless all are unknown.
void set(FieldMetadata& metadata, std::vector<Index> spins, std::vector<bool> seconds) {
  const bool any = std::ranges::any_of(spins, [](Index spin) { return spin != kUnknownSpin; });
  metadata.spins = any ? std::move(spins) : std::vector<Index>();
  metadata.seconds = any ? std::move(seconds) : std::vector<bool>();
}

}  // namespace

void set_spins(FieldMetadata& metadata, std::vector<Index> spins) {
  std::vector<bool> seconds(spins.size(), false);
  for (std::size_t i = 1; i < spins.size(); ++i)
    seconds[i] = spins[i] > 0 && spins[i] == spins[i - 1] && !seconds[i - 1];
  set(metadata, std::move(spins), std::move(seconds));
}

void set_spins_of_names(FieldMetadata& metadata, FileKind kind) {
  NameList names = metadata.columns.empty() ? metadata.fields : metadata.columns;
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
  std::vector<bool> seconds;
  for (const std::string& column : metadata.columns) {
    const bool counts = names == NameCase::kAny || upper(column) == column;
    const std::string field = counts ? stokes_of_column(column) : std::string();
    spins.push_back(field == "T" ? 0 : field == "Q" || field == "U" ? 2 : kUnknownSpin);
    seconds.push_back(field == "U");
  }
  set(metadata, std::move(spins), std::move(seconds));
}

Index spin_of(const FieldMetadata& metadata, std::size_t component) {
  return component < metadata.spins.size() ? metadata.spins[component] : kUnknownSpin;
}

bool is_second_of_pair(const FieldMetadata& metadata, std::size_t component) {
  return component < metadata.seconds.size() && metadata.seconds[component];
}

bool knows_all_spins(const FieldMetadata& metadata) {
  return !metadata.spins.empty() && std::ranges::count(metadata.spins, kUnknownSpin) == 0;
}

}  // namespace armilla::io
