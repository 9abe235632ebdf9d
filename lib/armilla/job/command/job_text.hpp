#pragma once

#include <armilla/job/command/step_command.hpp>

#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace armilla::job {

/// The value `text` of the key at `path` as the command line gives it: YAML in flow style, a list with commas, or
/// NAME=VALUE of a choice. `known`: the key, or null. Throws InputError that names the option.
YAML::Node setting_value(const std::vector<std::string>& path, const std::string& text, const Key* known);

/// Puts a setting into a section that has `keys`. Throws InputError.
void put_setting(YAML::Node section, const std::vector<Key>& keys, const StepCommand::Setting& setting);

/// The text of the job with these sections: top-level sections in block style, what is within them in flow style.
std::string job_text(const YAML::Node& job);

}  // namespace armilla::job
