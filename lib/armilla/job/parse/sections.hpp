#pragma once

#include <armilla/job/parse/job_spec.hpp>
#include <armilla/job/parse/keys.hpp>

#include <string>
#include <string_view>
#include <vector>

/// The sections of a job other than its steps: each input, each output, and `execution`.
namespace armilla::job {

/// Throws InputError.
InputSpec parse_input(const std::string& name, const YamlValue& value, const ParseContext& context);
/// `precision` is that of the job, the default for outputs. Throws InputError.
OutputSpec parse_output(const std::string& name, const YamlValue& value, const ParseContext& context,
                        core::Precision precision);
/// Throws InputError.
ExecutionSpec parse_execution(const YamlValue& value, const ParseContext& context);

// The keys of these sections, and those of `convention`.
std::vector<Key> input_keys();
/// The end of the form of a key whose value may be forced.
inline constexpr std::string_view kForcedForm = ", or `{force: ...}`";
std::vector<Key> output_keys();
std::vector<Key> execution_keys();
std::vector<Key> convention_keys();

}  // namespace armilla::job
