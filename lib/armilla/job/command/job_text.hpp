#pragma once

#include <armilla/job/command/step_command.hpp>

#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace armilla::job {

/// Parses the command-line value `text` of the key at `path`: YAML in flow style, a comma-separated list, or NAME=VALUE
/// for a choice. `known`: the key, or null. Throws InputError that names the option.
YAML::Node setting_value(const std::vector<std::string>& path, const std::string& text, const Key* known);

/// Adds a setting to a section with these keys. Throws InputError.
void put_setting(YAML::Node section, const std::vector<Key>& keys, const StepCommand::Setting& setting);

/// The text of the job with these sections: top-level sections in block style, their contents in flow style.
std::string job_text(const YAML::Node& job);

}  // namespace armilla::job
