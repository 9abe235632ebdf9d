#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/job/parse/document.hpp>
#include <armilla/job/parse/operation.hpp>
#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/parse/sections.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace armilla::job {

namespace {

void parse_step(const YamlValue& item, const ParseContext& context, std::vector<StepSpec>& steps) {
  std::vector<std::string> names;
  for (const auto& kind : operation_kinds()) names.push_back(kind.name);
  item.expect_keys(names);
  const auto members = item.members();
  if (members.size() != 1)
    item.complain(fmt::format("names {} operations: a step has one of {}", members.size(), fmt::join(names, ", ")));
  const auto& [name, value] = members.front();
  const auto kind = std::ranges::find(operation_kinds(), name, &OperationKind::name);
  for (auto& operation : kind->parse(value, context)) steps.push_back({value.place(), name, std::move(operation)});
}

}  // namespace

JobSpec parse_job(const std::string& text, const std::string& file, std::span<const std::string> overrides) {
  const Document document(text, file, overrides);
  const YamlValue root = document.root();
  root.expect_keys(std::vector<std::string>{"version", "inputs", "steps", "outputs", "execution"});
  const YamlValue version = root.at("version");
  if (version.whole_number(0, kLargestNumber) != 1) version.fail("is not known: this program reads 'version: 1'");

  const ParseContext context{std::filesystem::path(file).parent_path().string()};
  JobSpec job;
  job.file = file;
  job.written = document.json();
  if (const auto execution = root.find("execution")) job.execution = parse_execution(*execution, context);
  if (const auto inputs = root.find("inputs"))
    for (const auto& [name, value] : inputs->members()) job.inputs.push_back(parse_input(name, value, context));
  if (const auto steps = root.find("steps"))
    for (const auto& item : steps->items()) parse_step(item, context, job.steps);
  if (const auto outputs = root.find("outputs"))
    for (const auto& [name, value] : outputs->members())
      job.outputs.push_back(parse_output(name, value, context, job.execution.precision));
  if (job.steps.empty() && job.outputs.empty())
    throw core::InputError(fmt::format("{}: the job has neither 'steps' nor 'outputs': there is nothing to do", file));
  return job;
}

std::string read_job_text(const comm::Communicator& comm, const std::string& file) {
  std::string text;
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    io::check_readable(file);
    std::ifstream stream(file);
    text.assign(std::istreambuf_iterator<char>(stream), {});
    if (stream.bad() || !stream.is_open())
      throw core::InputError(fmt::format("job file {} cannot be read: {}", file, std::strerror(errno)));
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

JobSpec read_job(const comm::Communicator& comm, const std::string& file, std::span<const std::string> overrides) {
  const std::string text = read_job_text(comm, file);
  JobSpec job;
  comm::phase(comm, [&] { job = parse_job(text, file, overrides); });
  return job;
}

}  // namespace armilla::job
