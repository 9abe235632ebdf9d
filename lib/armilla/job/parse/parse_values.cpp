#include <armilla/core/error.hpp>
#include <armilla/grid/grid_text.hpp>
#include <armilla/job/parse/parse_values.hpp>
#include <armilla/transform/field_kind.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

namespace armilla::job {

std::string ParseContext::resolve(const std::string& from, const YamlValue& value) const {
  std::string path = value.text();
  try {
    path = expand_path(path, variables);
  } catch (const core::InputError& error) {
    value.fail(error.what());
  }
  return (std::filesystem::path(from) / path).lexically_normal().string();
}

FileSpec ParseContext::input_files(const YamlValue& value) const {
  if (!value.is_list()) return {value.place(), input_path(value)};
  FileSpec files{.place = value.place()};
  for (const YamlValue& item : value.items()) {
    if (files.path.empty())
      files.path = input_path(item);
    else
      files.more.push_back(input_path(item));
  }
  if (files.path.empty()) value.fail("is empty: expected a file, or a list of files");
  return files;
}

Reference ParseContext::reference(const YamlValue& value) const {
  Reference named{.place = value.place(), .text = value.text()};
  if (values.contains(named.text)) {
    named.name = named.text;
    // A text that is no path cannot name a file.
    if (named.text.find_first_of("$~") == std::string::npos) named.path = input_path(value);
    references->push_back(named);
    return named;
  }
  named.is_file = true;
  named.path = input_path(value);
  // The file ./cl of a job with a value cl.
  const bool is_name = named.path.find('/') == std::string::npos;
  named.name = (is_name && named.text.starts_with("./") ? "./" : "") + named.path;
  return named;
}

double parse_finite(const YamlValue& value) {
  const double number = value.number();
  if (!std::isfinite(number)) value.fail("is not finite: use a finite number");
  return number;
}

void check_mmax(const YamlValue& mmax, const Limits& limits) {
  if (limits.mmax > limits.lmax) mmax.fail(fmt::format("exceeds lmax = {}: lower mmax or raise lmax", limits.lmax));
}

namespace {

/// A name, {name: T} for a scalar with any name, or {names: [X, Y], spin: s}, where 0 makes all names scalars.
void add_field(const YamlValue& item, FieldsSpec& fields) {
  if (!item.is_section()) {
    fields.names.push_back(item.text());
    fields.spins.push_back(transform::FieldKind::kByName);
    return;
  }
  item.expect_keys(std::vector<std::string>{"name", "names", "spin"});
  if (const auto name = item.find("name")) {
    if (item.find("names") || item.find("spin")) name->fail("denotes a scalar: remove 'names' and 'spin'");
    fields.names.push_back(name->text());
    fields.spins.push_back(0);
    return;
  }
  const YamlValue pair = item.at("names");
  const std::vector<std::string> names = pair.texts();
  const Index spin = item.at("spin").whole_number(0, kLargestSpin);
  if (spin > 0 && names.size() != 2)
    pair.fail(fmt::format("has {} names: a field of spin above 0 has two components", names.size()));
  for (const std::string& name : names) {
    fields.names.push_back(name);
    fields.spins.push_back(spin);
  }
}

}  // namespace

std::vector<std::string> component_names(const YamlValue& value) {
  std::vector<std::string> names = value.is_scalar() ? std::vector{value.text()} : value.texts();
  constexpr std::array<std::string_view, 5> kWords{"TQU", "IQU", "QU", "TEB", "EB"};
  if (names.size() != 1 || std::ranges::find(kWords, names.front()) == kWords.end()) return names;
  std::vector<std::string> letters;
  for (const char letter : names.front()) letters.emplace_back(1, letter == 'I' ? 'T' : letter);
  return letters;
}

void parse_fields(const YamlValue& value, FieldsSpec& fields) {
  const bool is_word = value.is_scalar() || (value.items().size() == 1 && value.items().front().is_scalar());
  if (is_word) {
    fields.names = component_names(value);
    fields.spins.assign(fields.names.size(), transform::FieldKind::kByName);
    return;
  }
  for (const YamlValue& item : value.items()) add_field(item, fields);
  if (fields.names.empty()) value.fail("is empty: expected a list of names");
}

void set_spin(const YamlValue& value, Index spin, FieldsSpec& fields) {
  constexpr Index kByName = transform::FieldKind::kByName;
  if (fields.names.empty()) {
    fields.spin = spin;
    return;
  }
  if (spin > 0 && fields.names.size() < 2)
    value.fail("applies to the last two names of 'fields', but there is only one: name both components of the pair");
  const std::size_t pair = spin > 0 ? fields.names.size() - 2 : fields.names.size();
  for (std::size_t i = 0; i < fields.spins.size(); ++i) {
    if (fields.spins[i] != kByName) value.fail("contradicts the spin given in 'fields': remove one of the two");
    fields.spins[i] = i < pair ? 0 : spin;
  }
}

namespace {

const std::vector<std::string> kSelectionKeys{"rings", "theta_deg"};

// `rings: [0, 5, [10, 20]]` and `theta_deg: [30, 60]`; the existence of such rings is checked when the grid is made.
grid::RingSelection parse_selection(const YamlValue& parameters) {
  constexpr Index kLargestRing = Index{1} << 40;
  grid::RingSelection selection;
  if (const auto rings = parameters.find("rings")) {
    for (const YamlValue& item : rings->items()) {
      if (item.is_scalar()) {
        const Index ring = item.whole_number(0, kLargestRing);
        selection.rings.push_back({ring, ring});
        continue;
      }
      const auto ends = item.items();
      if (ends.size() != 2) item.fail("is not a range of rings: expected [first, last]");
      selection.rings.push_back({ends[0].whole_number(0, kLargestRing), ends[1].whole_number(0, kLargestRing)});
    }
    if (selection.rings.empty()) rings->fail("is empty: expected ring numbers and ranges, such as [0, 5, [10, 20]]");
  }
  if (const auto theta = parameters.find("theta_deg")) {
    const auto ends = theta->items();
    if (ends.size() != 2) theta->fail("is not a range of colatitudes: expected [first, last] in degrees");
    constexpr double half_turn = 180;
    selection.theta = {ends[0].number() / half_turn * core::kPi, ends[1].number() / half_turn * core::kPi};
  }
  return selection;
}

}  // namespace

GridSpec parse_grid(const YamlValue& value, const ParseContext& context) {
  if (value.is_scalar()) {
    try {
      return {value.place(), grid::parse_grid_text(value.text())};
    } catch (const core::InputError& error) {
      value.complain(fmt::format("cannot be read: {}", error.what()));
    }
  }
  std::vector<std::string> names = grid::grid_kind_names();
  names.push_back("rings");
  value.expect_keys(names);
  const auto members = value.members();
  if (members.size() != 1)
    value.fail(fmt::format("has {} grids: expected exactly one of {}", members.size(), fmt::join(names, ", ")));
  const auto& [name, parameters] = members.front();
  GridSpec grid{parameters.place(), {.kind = name}};
  std::vector<std::string> keys = kSelectionKeys;
  if (name == "rings") {
    keys.emplace_back("file");
    parameters.expect_keys(keys);
    grid.selection = parse_selection(parameters);
    const Reference file = context.reference(parameters.at("file"));
    if (file.is_file)
      grid.description.file = file.path;
    else
      grid.value = file.name;
    return grid;
  }
  const std::vector<std::string> rules = grid::grid_rules(name);
  if (!rules.empty()) {
    keys.push_back("rule");
    grid.description.rule = rules[parameters.at("rule").choice(rules)];
  }
  const grid::GridKind* kind = grid::find_grid_kind(name, grid.description.rule);
  for (const grid::GridKey& key : kind->keys) keys.push_back(key.name);
  parameters.expect_keys(keys);
  grid.selection = parse_selection(parameters);
  parameters.at(kind->keys.front().name);
  for (const grid::GridKey& key : kind->keys) {
    const auto parameter = parameters.find(key.name);
    if (!parameter) continue;
    if (key.whole != nullptr)
      grid.description.*key.whole = parameter->whole_number(1, kLargestNumber);
    else
      grid.description.*key.real = parse_finite(*parameter);
  }
  return grid;
}

}  // namespace armilla::job
