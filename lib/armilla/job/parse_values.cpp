#include <armilla/core/error.hpp>
#include <armilla/job/parse_values.hpp>

#include <filesystem>

#include <fmt/format.h>

namespace armilla::job {

std::string ParseContext::resolve(const std::string& file) const {
  return (std::filesystem::path(folder) / file).lexically_normal().string();
}

Limits parse_lmax_mmax(const YamlValue& step) {
  Limits limits;
  limits.lmax = step.at("lmax").whole_number(0, kLargestNumber);
  limits.mmax = limits.lmax;
  if (const auto mmax = step.find("mmax")) {
    limits.mmax = mmax->whole_number(0, kLargestNumber);
    if (limits.mmax > limits.lmax) mmax->fail(fmt::format("exceeds lmax = {}: lower mmax, or raise lmax", limits.lmax));
  }
  return limits;
}

FieldsSpec parse_fields(const YamlValue& section) {
  FieldsSpec fields;
  if (const auto names = section.find("fields")) fields.names = names->texts();
  if (const auto spin = section.find("spin")) {
    if (!fields.names.empty()) spin->fail("does not go with 'fields': give one of the two");
    fields.spin = spin->whole_number(1, 1 << 20);
  }
  return fields;
}

GridSpec parse_grid(const YamlValue& value, const ParseContext& context) {
  std::vector<std::string> names = grid::grid_kind_names();
  names.push_back("rings");
  value.expect_keys(names);
  const auto members = value.members();
  if (members.size() != 1)
    value.fail(fmt::format("names {} grids: expected one of {}", members.size(), fmt::join(names, ", ")));
  const auto& [name, parameters] = members.front();
  GridSpec grid{parameters.place(), {.kind = name}};
  if (name == "rings") {
    parameters.expect_keys(std::vector<std::string>{"file"});
    grid.description.file = context.resolve(parameters.text("file"));
    return grid;
  }
  std::vector<std::string> keys;
  const std::vector<std::string> rules = grid::grid_rules(name);
  if (!rules.empty()) {
    keys.push_back("rule");
    grid.description.rule = rules[parameters.at("rule").choice(rules)];
  }
  const grid::GridKind* kind = grid::find_grid_kind(name, grid.description.rule);
  for (const grid::GridKey& key : kind->keys) keys.push_back(key.name);
  parameters.expect_keys(keys);
  parameters.at(kind->keys.front().name);
  for (const grid::GridKey& key : kind->keys) {
    const auto parameter = parameters.find(key.name);
    if (!parameter) continue;
    if (key.whole != nullptr)
      grid.description.*key.whole = parameter->whole_number(1, kLargestNumber);
    else
      grid.description.*key.real = parameter->number();
  }
  return grid;
}

}  // namespace armilla::job
