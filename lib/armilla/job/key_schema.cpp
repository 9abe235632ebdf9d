#include <armilla/core/error.hpp>
#include <armilla/grid/grid_text.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/job/key_schema.hpp>
#include <armilla/job/parse/operation_kind.hpp>
#include <armilla/job/parse/sections.hpp>
#include <armilla/job/steps/analysis_method.hpp>

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

using Json = nlohmann::ordered_json;

Json schema_of(const Key& key);

Json section_of(const std::vector<Key>& keys) {
  Json section = {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
  Json required = Json::array();
  for (const Key& key : keys) {
    section["properties"][key.name] = schema_of(key);
    if (key.is_required) required.push_back(key.name);
  }
  if (!required.empty()) section["required"] = required;
  return section;
}

/// Schema for a section with exactly one of these members.
Json one_of_members(Json properties) {
  return {{"type", "object"},
          {"minProperties", 1},
          {"maxProperties", 1},
          {"additionalProperties", false},
          {"properties", std::move(properties)}};
}

Json list_of(Json item, int least, int most = 0) {
  Json list = {{"type", "array"}, {"items", std::move(item)}, {"minItems", least}};
  if (most > 0) list["maxItems"] = most;
  return list;
}

Json reference(const char* name) { return {{"$ref", fmt::format("#/definitions/{}", name)}}; }

const Json kString = {{"type", "string"}};
const Json kNumber = {{"type", "number"}};
const Json kNumbers = {{"type", "array"}, {"items", kNumber}};

/// Schema for a form such as "one of `grid`, `ring`, or `{ring: {degree: 100}}`": words, and sections with one member.
Json alternatives(const std::string& form) {
  Json words = Json::array(), members = Json::object();
  for (std::size_t begin = form.find('`'); begin != std::string::npos; begin = form.find('`', begin)) {
    const std::size_t end = form.find('`', begin + 1);
    const std::string word = form.substr(begin + 1, end - begin - 1);
    if (word.starts_with('{'))
      members[word.substr(1, word.find(':') - 1)] = Json::object();
    else
      words.push_back(word);
    begin = end + 1;
  }
  if (members.empty()) return {{"enum", words}};
  return {{"anyOf", Json::array({Json{{"enum", words}}, one_of_members(members)})}};
}

/// Schema for keys without a common type, from the form shown in the reference.
Json schema_of_form(const Key& key) {
  const std::string& form = key.form;
  if (form.ends_with(kForcedForm)) {
    Key plain = key;
    plain.form.resize(form.size() - kForcedForm.size());
    const Json value = schema_of_form(plain);
    return {{"anyOf", Json::array({value, one_of_members({{"force", value}})})}};
  }
  const auto starts = [&](std::string_view words) { return form.starts_with(words); };
  if (starts("list of [fields]")) return reference("fields");
  if (starts("[convention]")) return reference("convention");
  if (starts("[method]")) return reference("method");
  if (starts("[`cg`]")) return reference("method");
  if (form == "file") return kString;
  if (form == "integer or name") return {{"anyOf", Json::array({Json{{"type", "integer"}, {"minimum", 0}}, kString})}};
  if (form == "list of names") return list_of(kString, 1);
  if (form == "[name, name]") return list_of(kString, 2, 2);
  if (form == "[first, last]" || form == "[number, number]") return list_of(kNumber, 2, 2);
  if (form == "[psi, theta, phi]") return list_of(kNumber, 3, 3);
  if (form == "name of a map, or list of numbers") return {{"anyOf", Json::array({kString, kNumbers})}};
  if (starts("`auto` or integer"))
    return {{"anyOf", Json::array({Json{{"const", "auto"}}, Json{{"type", "integer"}, {"minimum", 1}}})}};
  if (starts("number")) return kNumber;
  if (form == "integer") return {{"type", "integer"}, {"minimum", 1}};
  if (form == "unit or list of units") return {{"anyOf", Json::array({kString, list_of(kString, 1)})}};
  if (starts("one of `") || starts("`")) return alternatives(form);
  throw core::InternalError(fmt::format("the job schema does not support '{}', the form of key {}", form, key.name));
}

Json schema_of_value(const Key& key) {
  switch (key.type) {
    case KeyType::kOperand:
    case KeyType::kResult:
    case KeyType::kText:
    case KeyType::kReference:
      return kString;
    case KeyType::kFile:
      return key.form.empty() ? kString : Json{{"anyOf", Json::array({kString, list_of(kString, 1)})}};
    case KeyType::kWhole: {
      Json whole = {{"type", "integer"}, {"minimum", key.first}};
      if (key.last < std::numeric_limits<Index>::max()) whole["maximum"] = key.last;
      return whole;
    }
    case KeyType::kNumber: {
      Json number = kNumber;
      if (key.min > -std::numeric_limits<double>::max()) number["minimum"] = key.min;
      if (key.max < std::numeric_limits<double>::max()) number["maximum"] = key.max;
      return number;
    }
    case KeyType::kFlag:
      return {{"type", "boolean"}};
    case KeyType::kChoice:
      return {{"enum", key.choices}};
    case KeyType::kTexts:
      return list_of(kString, 1);
    case KeyType::kGrid:
      return reference("grid");
    case KeyType::kSection:
      if (key.form == "list of sections") return list_of(section_of(key.members), 1);
      if (key.form == "number, or section") return {{"anyOf", Json::array({kNumber, section_of(key.members)})}};
      return section_of(key.members);
    case KeyType::kOther:
      break;
  }
  return schema_of_form(key);
}

Json schema_of(const Key& key) {
  Json value = schema_of_value(key);
  // Draft 7 ignores siblings of a reference.
  if (value.contains("$ref")) value = {{"allOf", Json::array({value})}};
  Json schema = {{"description", plain_text(key.help)}};
  if (!key.fallback.empty()) schema["description"] = plain_text(fmt::format("{}; default: {}", key.help, key.fallback));
  if (!key.requirement.empty()) schema["description"] = plain_text(fmt::format("{}; {}", key.help, key.requirement));
  schema.update(value);
  return schema;
}

Json fields_schema() {
  const Json scalar = {
      {"type", "object"}, {"additionalProperties", false}, {"required", {"name"}}, {"properties", {{"name", kString}}}};
  const Json pair = {{"type", "object"},
                     {"additionalProperties", false},
                     {"required", {"names", "spin"}},
                     {"properties", {{"names", list_of(kString, 1)}, {"spin", {{"type", "integer"}, {"minimum", 0}}}}}};
  const Json list = list_of({{"anyOf", Json::array({kString, scalar, pair})}}, 1);
  return {{"anyOf", Json::array({list, kString})}};  // one word: TQU
}

Json method_schema() {
  Json names = Json::array(), sections = Json::object();
  for (const steps::MethodKind& kind : steps::method_kinds()) {
    names.push_back(kind.name);
    Json either = Json::array({section_of(kind.keys), Json{{"type", "null"}}});
    if (!kind.keys.empty()) either.push_back(schema_of(kind.keys.front()));
    sections[kind.name] = {{"description", plain_text(kind.help)}, {"anyOf", either}};
  }
  return {{"anyOf", Json::array({Json{{"enum", names}}, one_of_members(sections)})}};
}

/// Keys of every kind of grid, and those that select a part of the sky.
Json grid_parameters(const std::string& kind) {
  const Json range = list_of({{"type", "integer"}, {"minimum", 0}}, 2, 2);
  Json properties = {
      {"rings", list_of({{"anyOf", Json::array({Json{{"type", "integer"}, {"minimum", 0}}, range})}}, 1)},
      {"theta_deg", list_of(kNumber, 2, 2)}};
  Json required = Json::array();
  const std::vector<std::string> rules = grid::grid_rules(kind);
  if (!rules.empty()) {
    properties["rule"] = {{"enum", rules}};
    required.push_back("rule");
  }
  for (const grid::GridKind& row : grid::grid_kinds()) {
    if (row.kind != kind) continue;
    if (std::find(required.begin(), required.end(), row.keys.front().name) == required.end())
      required.push_back(row.keys.front().name);
    for (const grid::GridKey& key : row.keys)
      properties[key.name] = key.whole != nullptr ? Json{{"type", "integer"}, {"minimum", 1}} : kNumber;
  }
  if (kind == "rings") {
    properties["file"] = kString;
    required.push_back("file");
  }
  return {{"type", "object"}, {"additionalProperties", false}, {"required", required}, {"properties", properties}};
}

Json grid_schema() {
  Json kinds = Json::object();
  for (const std::string& kind : grid::grid_kind_names()) kinds[kind] = grid_parameters(kind);
  kinds["rings"] = grid_parameters("rings");
  std::string names;
  for (const std::string& form : grid::grid_forms()) {
    const std::string name = form.substr(0, form.find(':'));
    names += (names.empty() ? "" : "|") + name;
  }
  const Json text = {{"type", "string"}, {"pattern", fmt::format("^({})(:[^:]+)+$", names)}};
  return {{"anyOf", Json::array({text, one_of_members(kinds)})}};
}

Json input_schema() {
  Json input = section_of(input_keys());
  Json one_file = Json::array();
  for (const char* key : {"map", "alm", "points", "values"}) one_file.push_back({{"required", {key}}});
  input["oneOf"] = one_file;
  return input;
}

Json step_schema() {
  Json steps = Json::object();
  for (const OperationKind& kind : operation_kinds()) {
    steps[kind.name] = {{"description", plain_text(kind.help)}};
    steps[kind.name].update(section_of(kind.keys));
  }
  return one_of_members(steps);
}

/// Allows null, because sections may be empty.
Json or_null(Json section) { return {{"anyOf", Json::array({std::move(section), Json{{"type", "null"}}})}}; }

Json named(Json section) { return or_null({{"type", "object"}, {"additionalProperties", std::move(section)}}); }

}  // namespace

std::string key_schema() {
  const Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                       {"title", "Armilla job"},
                       {"description", "An Armilla job. Generated from the tables that parse jobs."},
                       {"type", "object"},
                       {"additionalProperties", false},
                       {"required", {"version"}},
                       {"properties",
                        {{"version", {{"const", 1}}},
                         {"inputs", named(input_schema())},
                         {"steps", {{"type", "array"}, {"items", step_schema()}}},
                         {"outputs", named(section_of(output_keys()))},
                         {"execution", or_null(section_of(execution_keys()))}}},
                       {"definitions",
                        {{"fields", fields_schema()},
                         {"convention", section_of(convention_keys())},
                         {"method", method_schema()},
                         {"grid", grid_schema()}}}};
  return schema.dump(2) + "\n";
}

}  // namespace armilla::job
