#include <armilla/job/command/command_example.hpp>
#include <armilla/job/command/command_keys.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

namespace armilla::job {

namespace {

/// Formats a value for the command line: in its short form if there is one, otherwise in flow style; quoted for the
/// shell if necessary.
std::string value_text(const YAML::Node& value) {
  if (value.IsSequence() && std::all_of(value.begin(), value.end(), [](const auto& item) { return item.IsScalar(); }) &&
      value.size() > 1) {
    std::vector<std::string> words;
    for (const auto& item : value) words.push_back(item.Scalar());
    return fmt::format("{}", fmt::join(words, ","));
  }
  if (value.IsMap() && value.size() == 1 && value.begin()->second.IsScalar())
    return fmt::format("{}={}", value.begin()->first.Scalar(), value.begin()->second.Scalar());
  if (value.IsScalar()) return value.Scalar();
  YAML::Emitter out;
  out.SetMapFormat(YAML::Flow);
  out.SetSeqFormat(YAML::Flow);
  out << value;
  return fmt::format("'{}'", out.c_str());
}

/// Adds the inputs named by the items of a list of sections.
void append_inputs(std::string& text, const std::vector<Key>& members, const YAML::Node& list) {
  for (const auto& item : list)
    for (const Key& member : members)
      if (member.type == KeyType::kOperand && item[member.name])
        text += fmt::format(" --input {0}={0}.h5", item[member.name].Scalar());
}

/// Formats a grid: `healpix:64` for `{healpix: {nside: 64}}`.
std::string grid_text(const YAML::Node& grid) {
  const auto kind = grid.begin();
  if (kind->second.size() != 1) return value_text(grid);
  return fmt::format("{}:{}", kind->first.Scalar(), kind->second.begin()->second.Scalar());
}

void append_options(std::string& text, const Key& key, const YAML::Node& value, std::vector<std::string> path) {
  path.push_back(key.name);
  if (is_flat_section(key)) {
    for (const Key& member : key.members)
      if (value[member.name]) append_options(text, member, value[member.name], path);
    return;
  }
  if (key.type == KeyType::kFlag) {
    text += fmt::format(" {}", option_name(path));
    return;
  }
  if (key.type == KeyType::kSection) append_inputs(text, key.members, value);
  const bool is_file = key.type == KeyType::kOperand;
  text += fmt::format(" {} {}{}", option_name(path), key.type == KeyType::kGrid ? grid_text(value) : value_text(value),
                      is_file ? ".h5" : "");
}

}  // namespace

std::string command_example(const OperationKind& kind) {
  const YAML::Node section = YAML::Load(kind.example);
  std::string text = "armilla " + kind.name, first;
  for (const Key& key : first_operands(kind))
    if (section[key.name] && first.empty()) {
      first = key.name;
      text += fmt::format(" {}.h5", section[key.name].Scalar());
    }
  const auto results = std::ranges::count(kind.keys, KeyType::kResult, &Key::type);
  std::string outputs;
  for (const Key& key : kind.keys) {
    const YAML::Node value = section[key.name];
    if (!value || key.name == first) continue;
    if (key.type == KeyType::kResult)
      outputs += fmt::format(" -o {}{}.h5", results > 1 ? key.name + "=" : "", value.Scalar());
    else
      append_options(text, key, value, {});
  }
  return text + outputs;
}

}  // namespace armilla::job
