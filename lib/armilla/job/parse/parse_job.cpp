#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/parse/document.hpp>
#include <armilla/job/parse/operation_kind.hpp>
#include <armilla/job/parse/packed_texts.hpp>
#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/parse/sections.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// Adds the file that a step names, once.
void add_input(const InputSpec& input, std::vector<InputSpec>& inputs) {
  for (const InputSpec& known : inputs) {
    if (known.name != input.name || !known.is_of_step) continue;
    if (known.sort == input.sort && known.spectrum_kind == input.spectrum_kind && known.columns == input.columns)
      return;
    refuse(input.place, {}, input.file,
           fmt::format("is also read by {}, in another way: use a copy of the file", mention(known.place)));
  }
  inputs.push_back(input);
}

void parse_step(const YamlValue& item, ParseContext& context, JobSpec& job) {
  std::vector<std::string> names;
  for (const auto& kind : operation_kinds()) names.push_back(kind.name);
  item.expect_keys(names);
  const auto members = item.members();
  if (members.size() != 1)
    item.complain(
        fmt::format("has {} operations: a step has exactly one of {}", members.size(), fmt::join(names, ", ")));
  const auto& [name, value] = members.front();
  const auto kind = std::ranges::find(operation_kinds(), name, &OperationKind::name);
  for (ParsedStep& step : kind->parse(value, context)) {
    for (const InputSpec& input : step.names->inputs()) add_input(input, job.inputs);
    context.values.insert(step.names->results().begin(), step.names->results().end());
    job.steps.push_back({value.place(), name, std::move(step.operation)});
  }
}

/// The name and the value of each variable, one after the other.
std::vector<std::string> names_and_values(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : variables) texts.insert(texts.end(), {name, value});
  return texts;
}

}  // namespace

JobSpec parse_job(const std::string& text, const std::string& file, std::span<const std::string> overrides,
                  const std::string& given_dir, const Variables& variables, const CallerValues& caller) {
  std::string output_dir;
  try {
    if (!given_dir.empty()) output_dir = expand_path(given_dir, variables);
  } catch (const core::InputError& error) {
    throw core::InputError(fmt::format("--output-dir {} {}", given_dir, error.what()));
  }
  const Document document(text, file, overrides);
  const YamlValue root = document.root();
  root.expect_keys(std::vector<std::string>{"version", "inputs", "steps", "outputs", "execution"});
  const YamlValue version = root.at("version");
  if (version.whole_number(0, kLargestNumber) != 1) version.fail("is not supported: this program reads 'version: 1'");

  const std::string folder = std::filesystem::path(file).parent_path().string();
  ParseContext context{folder, output_dir.empty() ? folder : output_dir, variables, caller.given};
  JobSpec job;
  job.file = file;
  job.output_dir = output_dir;
  job.written = document.json();
  if (const auto execution = root.find("execution")) job.execution = parse_execution(*execution, context);
  if (const auto inputs = root.find("inputs"))
    for (const auto& [name, value] : inputs->members()) {
      const InputSpec& input = job.inputs.emplace_back(parse_input(name, value, context));
      context.values.insert({input.name, input.good_pixels});
    }
  for (const auto& [name, sort] : caller.given)
    if (context.values.insert(name).second)
      job.inputs.push_back({.place = {file, "inputs." + name, name.size() + 7}, .name = name, .sort = sort});
  if (const auto steps = root.find("steps"))
    for (const auto& item : steps->items()) parse_step(item, context, job);
  job.references = std::move(*context.references);
  if (const auto outputs = root.find("outputs"))
    for (const auto& [name, value] : outputs->members())
      job.outputs.push_back(parse_output(name, value, context, job.execution.precision));
  if (!caller.keep.empty()) job.keep = caller.keep;
  if (job.steps.empty() && job.outputs.empty() && !job.keep)
    refuse_text(file, "the job has neither 'steps' nor 'outputs': there is nothing to do");
  return job;
}

std::string read_job_text(const comm::Communicator& comm, const JobSource& source) {
  std::string text;
  comm::phase(comm, [&] {
    if (comm.is_root()) text = source.text();
  });
  return comm.broadcast(std::move(text));
}

std::string job_contents(const std::string& text, const std::string& file, std::span<const std::string> overrides) {
  try {
    return Document(text, file, overrides).contents();
  } catch (const core::InputError&) {
    return {};
  }
}

JobSpec parse_job_alike(const comm::Communicator& comm, const std::string& text, const std::string& file,
                        std::span<const std::string> overrides, const std::string& output_dir,
                        const CallerValues& caller) {
  JobSpec job;
  std::map<std::string, std::string> used;
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    job = parse_job(
        text, file, overrides, output_dir,
        [&](const std::string& name) {
          const std::optional<std::string> value = environment_variable(name);
          if (value) used[name] = *value;
          return value;
        },
        caller);
  });
  // Launchers may not pass variables to other nodes.
  const std::vector<std::string> texts = unpacked(comm.broadcast(packed(names_and_values(used))));
  for (std::size_t i = 0; i + 1 < texts.size(); i += 2) used[texts[i]] = texts[i + 1];
  comm::phase(comm, [&] {
    if (comm.is_root()) return;
    job = parse_job(
        text, file, overrides, output_dir,
        [&](const std::string& name) {
          const auto value = used.find(name);
          return value == used.end() ? std::nullopt : std::optional(value->second);
        },
        caller);
  });
  return job;
}

JobSpec read_job(const comm::Communicator& comm, const JobSource& source, std::span<const std::string> overrides,
                 const std::string& output_dir) {
  return parse_job_alike(comm, read_job_text(comm, source), source.name, overrides, output_dir);
}

}  // namespace armilla::job
