#pragma once

#include <armilla/job/command/command_files.hpp>
#include <armilla/job/command/step_command.hpp>
#include <armilla/job/parse/job_spec.hpp>

#include <optional>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace armilla::job {

/// The section `inputs` of the job of a command.
class CommandInputs {
 public:
  /// Refers to its arguments.
  CommandInputs(const StepCommand& command, const OperationKind& kind, HeldContents& held)
      : command_(command), kind_(kind), held_(held) {}

  /// Adds the file of an operand. Its keys are those of the command that apply to it; those of an analysis are left to
  /// analysis_key(). `defaults`: keys and values that hold unless the command sets them. Throws InputError.
  void add(const std::string& name, ValueSort sort, const std::string& file, const std::string& operand,
           bool is_analysed, const std::vector<StepCommand::Setting>& defaults = {});
  /// Adds `--input NAME=FILE`, where FILE may also be a section in flow style. Throws InputError.
  void add_named(const std::string& name, const std::string& given);

  /// A key of the command for the analysis of the file of an operand.
  std::optional<std::string> analysis_key(const std::string& key, const std::string& operand);
  /// The value of an input that has been added, or std::nullopt.
  std::optional<std::string> value(const std::string& name, const std::string& key) const;
  /// Sets a key of an input that has been added.
  void set(const std::string& name, const std::string& key, const std::string& value) { section_[name][key] = value; }

  /// Throws InputError if a key of the command was used for no file.
  void check_all_used() const;
  const YAML::Node& section() const { return section_; }

 private:
  /// Const access, because operator[] of a non-const Node would change the job.
  bool has(const std::string& name) const;
  void start(const std::string& name, ValueSort sort, const std::string& file);
  bool belongs_to(const StepCommand::InputSetting& one, const std::string& operand) const;

  const StepCommand& command_;
  const OperationKind& kind_;
  HeldContents& held_;
  YAML::Node section_{YAML::NodeType::Map};
  std::vector<bool> used_ = std::vector<bool>(command_.input_keys.size(), false);
};

}  // namespace armilla::job
