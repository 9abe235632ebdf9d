#include <armilla/core/error.hpp>
#include <armilla/job/command/command_files.hpp>
#include <armilla/job/command/command_inputs.hpp>
#include <armilla/job/command/command_keys.hpp>
#include <armilla/job/command/job_text.hpp>
#include <armilla/job/parse/sections.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace armilla::job {

namespace {

bool has_name(const std::vector<Key>& keys, const std::string& name) {
  return std::ranges::find(keys, name, &Key::name) != keys.end();
}

}  // namespace

std::string StepCommand::InputSetting::option() const {
  const std::string name = option_name(setting.first);
  return operand.empty() ? name : option_name({operand}) + "." + name.substr(2);
}

bool CommandInputs::has(const std::string& name) const {
  return section_.IsDefined() && std::as_const(section_)[name].IsDefined();
}

void CommandInputs::start(const std::string& name, ValueSort sort, const std::string& file) {
  if (has(name))
    throw core::InputError(
        fmt::format("--input {}={}: the command already has an input of that name: choose another name", name, file));
  YAML::Node input(YAML::NodeType::Map);
  input[sort_name(sort)] = path_text(file);
  section_[name] = input;
}

bool CommandInputs::belongs_to(const StepCommand::InputSetting& one, const std::string& operand) const {
  if (one.operand.empty()) return holds_for(kind_, one.setting.first.front(), operand);
  const std::vector<Key> first = first_operands(kind_);
  return one.operand == operand || (has_name(first, one.operand) && has_name(first, operand));
}

void CommandInputs::add(const std::string& name, ValueSort sort, const std::string& file, const std::string& operand,
                        bool is_analysed, const std::vector<StepCommand::Setting>& defaults) {
  start(name, sort, file);
  for (const auto& setting : defaults) put_setting(section_[name], input_keys(), setting);
  for (const bool is_of_operand : {false, true})
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const StepCommand::InputSetting& one = command_.input_keys[i];
      const std::string& key = one.setting.first.front();
      if (one.operand.empty() == is_of_operand || !belongs_to(one, operand)) continue;
      if (is_analysed && is_of_analysis(key)) continue;
      if (is_key_of(key, sort)) {
        put_setting(section_[name], input_keys(), one.setting);
        used_[i] = true;
      } else if (is_of_operand) {
        throw core::InputError(fmt::format("{} applies to {} only, but {} is {}: remove it", one.option(),
                                           sorts_of_key(key), file, with_article(sort_name(sort))));
      }
    }
}

void CommandInputs::add_named(const std::string& name, const std::string& given) {
  if (given.starts_with('{')) {
    if (has(name))
      throw core::InputError(fmt::format("--input {}: the command already has an input of that name", name));
    section_[name] = setting_value({"input"}, given, nullptr);
    return;
  }
  const std::string file = without_tilde(given);
  add(name, sort_in(sample_file(file), held_), file, {}, false);
}

std::optional<std::string> CommandInputs::analysis_key(const std::string& key, const std::string& operand) {
  std::optional<std::string> value;
  for (const bool is_of_operand : {false, true})
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const StepCommand::InputSetting& one = command_.input_keys[i];
      if (one.setting.first.front() != key || one.operand.empty() == is_of_operand || !belongs_to(one, operand))
        continue;
      value = one.setting.second;
      used_[i] = true;
    }
  return value;
}

std::optional<std::string> CommandInputs::value(const std::string& name, const std::string& key) const {
  const YAML::Node found = std::as_const(section_)[name][key];
  return found.IsDefined() && found.IsScalar() ? std::optional(found.Scalar()) : std::nullopt;
}

void CommandInputs::check_all_used() const {
  for (std::size_t i = 0; i < used_.size(); ++i)
    if (const auto& one = command_.input_keys[i]; !used_[i])
      throw core::InputError(fmt::format("{} applies to {} only, and this command reads none{}: remove it",
                                         one.option(), sorts_of_key(one.setting.first.front()),
                                         one.operand.empty() ? "" : " as " + option_name({one.operand})));
}

}  // namespace armilla::job
