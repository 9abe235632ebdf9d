#include "key_table.hpp"

#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/parse/operation_kind.hpp>
#include <armilla/job/parse/sections.hpp>
#include <armilla/job/steps/analysis_method.hpp>

#include <charconv>
#include <string>
#include <vector>

#include "python_words.hpp"
#include <nlohmann/json.hpp>

namespace armilla::python {

namespace {

using Json = nlohmann::ordered_json;
using job::Key;
using job::KeyType;

/// The names of KeyType in armilla/calls.py and generate_steps.py.
const char* type_name(KeyType type) {
  switch (type) {
    case KeyType::kOperand:
      return "operand";
    case KeyType::kResult:
      return "result";
    case KeyType::kWhole:
      return "whole";
    case KeyType::kNumber:
      return "number";
    case KeyType::kFlag:
      return "flag";
    case KeyType::kChoice:
      return "choice";
    case KeyType::kText:
      return "text";
    case KeyType::kTexts:
      return "texts";
    case KeyType::kFile:
      return "file";
    case KeyType::kReference:
      return "reference";
    case KeyType::kGrid:
      return "grid";
    case KeyType::kSection:
      return "section";
    case KeyType::kOther:
      break;
  }
  return "other";
}

/// The default of a key if it is a value; null if it is described by words, or if there is none.
Json default_of(const Key& key) {
  const std::string text = job::plain_text(key.fallback);
  const char* const end = text.data() + text.size();
  const auto parsed = [&](auto number) -> Json {
    const auto [last, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && last == end ? Json(number) : Json();
  };
  if (key.type == KeyType::kWhole) return parsed(core::Index{0});
  if (key.type == KeyType::kNumber) return parsed(0.0);
  if (key.type == KeyType::kFlag) return text == "true" ? Json(true) : text == "false" ? Json(false) : Json();
  const std::string form = job::plain_text(job::type_text(key));
  const bool is_choice = (key.type == KeyType::kChoice || key.type == KeyType::kOther) && form.starts_with("one of '");
  return is_choice && form.find("'" + text + "'") != std::string::npos ? Json(text) : Json();
}

Json list_of(const std::vector<Key>& keys) {
  Json list = Json::array();
  for (const Key& key : keys) {
    Json& one =
        list.emplace_back(Json{{"name", key.name}, {"type", type_name(key.type)}, {"help", job::plain_text(key.help)}});
    one["form"] = job::plain_text(job::type_text(key));
    one["argument"] = argument_name(key.name);
    one["default"] = job::plain_text(key.fallback);
    one["value"] = default_of(key);
    one["requirement"] = job::plain_text(key.requirement);
    one["required"] = key.is_required;
    one["sort"] = key.type == KeyType::kOperand || key.type == KeyType::kReference ? key.form : "";
    one["members"] = list_of(key.members);
  }
  return list;
}

}  // namespace

std::string key_table() {
  Json table;
  for (const job::OperationKind& kind : job::operation_kinds()) {
    Json first = Json::array();
    for (const Key& key : job::first_operands(kind)) first.push_back(key.name);
    table["steps"].push_back(
        {{"name", kind.name}, {"help", job::plain_text(kind.help)}, {"first", first}, {"keys", list_of(kind.keys)}});
  }
  for (const job::steps::MethodKind& kind : job::steps::method_kinds())
    table["methods"].push_back(
        {{"name", kind.name}, {"help", job::plain_text(kind.help)}, {"keys", list_of(kind.keys)}});
  table["inputs"] = list_of(job::input_keys());
  table["outputs"] = list_of(job::output_keys());
  table["execution"] = list_of(job::execution_keys());
  return table.dump();
}

}  // namespace armilla::python
