#include <armilla/backend/context.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/job/document.hpp>
#include <armilla/job/nearest_key.hpp>
#include <armilla/job/operation.hpp>
#include <armilla/job/parse_job.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/legendre/engine.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace armilla::job {

namespace {

core::Precision parse_precision(const YamlValue& value) {
  return value.choice(std::vector<std::string>{"single", "double"}) == 0 ? core::Precision::kSingle
                                                                         : core::Precision::kDouble;
}

/// `convention: {norm: 4pi, phase: none, basis: real}`, each key on its own.
ConventionSpec parse_convention(const YamlValue& value) {
  value.expect_keys(std::vector<std::string>{"norm", "phase", "basis"});
  const auto choose = [&](const char* key, const auto& names, auto& target) {
    if (const auto given = value.find(key))
      target = static_cast<typename std::remove_reference_t<decltype(target)>::value_type>(
          given->choice(std::vector<std::string>(names.begin(), names.end())));
  };
  ConventionSpec convention;
  convention.place = value.place();
  choose("norm", alm::kNormNames, convention.norm);
  choose("phase", alm::kPhaseNames, convention.phase);
  choose("basis", alm::kBasisNames, convention.basis);
  return convention;
}

InputSpec parse_input(const std::string& name, const YamlValue& value, const ParseContext& context) {
  value.expect_keys(std::vector<std::string>{"map", "alm", "fields", "spin", "bad_data", "good_pixels",
                                             "remove_monopole", "lmax", "mmax", "convention"});
  InputSpec input;
  input.place = value.place();
  input.name = name;
  const auto map = value.find("map");
  const auto alm = value.find("alm");
  if (map.has_value() == alm.has_value())
    throw core::InputError(
        fmt::format("{}: {} needs one of the keys 'map' and 'alm', with a path", value.place().where, value.path()));
  input.sort = map ? ValueSort::kMap : ValueSort::kAlm;
  input.file = context.resolve(map ? map->text() : alm->text());
  input.fields = parse_fields(value);
  if (const auto policy = value.find("bad_data")) {
    if (alm) policy->fail("is for maps only: remove it");
    const std::vector<std::string> policies{"error", "zero", "mask"};
    const std::string& chosen = policies[policy->choice(policies)];
    input.bad_data = chosen == "error" ? io::BadDataPolicy::kError : io::BadDataPolicy::kZero;
    if (chosen == "mask" && !value.find("good_pixels"))
      policy->fail("needs a name for the mask of good pixels: give good_pixels: NAME");
  }
  if (const auto good = value.find("good_pixels")) {
    const auto policy = value.find("bad_data");
    if (!policy || policy->text() != "mask") good->fail("names a mask, which bad_data: mask makes: set that as well");
    input.good_pixels = good->text();
  }
  if (const auto remove = value.find("remove_monopole")) {
    if (alm) remove->fail("is for maps only: remove it");
    input.monopole = remove->yes_or_no() ? Monopole::kRemove : Monopole::kKeep;
  }
  if (const auto convention = value.find("convention")) {
    if (map) convention->fail("is for alm only: remove it");
    input.convention = parse_convention(*convention);
  }
  for (const auto& [key, target] : {std::pair{"lmax", &input.lmax}, std::pair{"mmax", &input.mmax}}) {
    const auto limit = value.find(key);
    if (!limit) continue;
    if (map) limit->fail("is for alm files only: for a map, it stands on the analysis step");
    *target = limit->whole_number(0, kLargestDegree);
  }
  if (input.lmax && input.mmax && *input.mmax > *input.lmax)
    value.at("mmax").fail(fmt::format("exceeds lmax = {}: lower mmax, or raise lmax", *input.lmax));
  return input;
}

void parse_step(const YamlValue& item, const ParseContext& context, std::vector<StepSpec>& steps) {
  std::vector<std::string> names;
  for (const auto& kind : operation_kinds()) names.push_back(kind.name);
  item.expect_keys(names);
  const auto members = item.members();
  if (members.size() != 1)
    throw core::InputError(fmt::format("{}: {} names {} operations: a step has one of {}", item.place().where,
                                       item.path(), members.size(), fmt::join(names, ", ")));
  const auto& [name, value] = members.front();
  for (const auto& kind : operation_kinds()) {
    if (kind.name != name) continue;
    value.expect_keys(kind.keys);
    for (auto& operation : kind.parse(value, context)) steps.push_back({value.place(), name, std::move(operation)});
    return;
  }
  throw core::InternalError(fmt::format("operation {} has no row", name));
}

OutputSpec parse_output(const std::string& name, const YamlValue& value, const ParseContext& context,
                        core::Precision precision) {
  value.expect_keys(std::vector<std::string>{"file", "precision", "ordering", "convention"});
  OutputSpec output{.place = value.place(),
                    .name = name,
                    .file = context.resolve(value.text("file")),
                    .precision = precision,
                    .convention = {}};
  if (const auto convention = value.find("convention")) output.convention = parse_convention(*convention);
  if (const auto own = value.find("precision")) output.precision = parse_precision(*own);
  if (const auto ordering = value.find("ordering"))
    output.ordering =
        ordering->choice(std::vector<std::string>{"ring", "nested"}) == 0 ? io::Ordering::kRing : io::Ordering::kNested;
  return output;
}

/// A number from 1 on, or nothing for `auto`.
std::optional<Index> parse_auto(const YamlValue& section, const char* key, Index most) {
  const auto value = section.find(key);
  if (!value || (value->is_scalar() && value->text() == "auto")) return std::nullopt;
  return value->whole_number(1, most);
}

ExecutionSpec parse_execution(const YamlValue& value) {
  value.expect_keys(std::vector<std::string>{"backend", "engine", "theta_resampling", "precision", "threads", "batch",
                                             "map_groups", "on_bad_map", "on_nonfinite"});
  ExecutionSpec execution;
  execution.place = value.place();
  const std::vector<std::string> backends = backend::backend_names();
  if (const auto backend = value.find("backend")) execution.backend = backends[backend->choice(backends)];
  const std::vector<std::string> engines = legendre::engine_names();
  if (const auto engine = value.find("engine")) execution.options.engine = engines[engine->choice(engines)];
  if (const auto resampling = value.find("theta_resampling"))
    execution.options.theta_resampling =
        static_cast<backend::ThetaResampling>(resampling->choice(backend::theta_resampling_names()));
  if (const auto precision = value.find("precision")) execution.precision = parse_precision(*precision);
  if (const auto threads = value.find("threads")) execution.threads = static_cast<int>(threads->whole_number(1, 4096));
  execution.batch = parse_auto(value, "batch", 1 << 16);
  execution.map_groups = parse_auto(value, "map_groups", 1 << 24);
  if (const auto policy = value.find("on_bad_map"))
    execution.on_bad_map =
        policy->choice(std::vector<std::string>{"stop", "skip"}) == 0 ? BadMapPolicy::kStop : BadMapPolicy::kSkip;
  if (const auto policy = value.find("on_nonfinite"))
    execution.on_nonfinite = policy->choice(std::vector<std::string>{"error", "warn"}) == 0 ? NonfinitePolicy::kError
                                                                                            : NonfinitePolicy::kWarn;
  return execution;
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
  if (const auto execution = root.find("execution")) job.execution = parse_execution(*execution);
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

JobSpec read_job(const comm::Communicator& comm, const std::string& file, std::span<const std::string> overrides) {
  std::string text;
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    io::check_readable(file);
    std::ifstream stream(file);
    text.assign(std::istreambuf_iterator<char>(stream), {});
    if (stream.bad() || !stream.is_open())
      throw core::InputError(fmt::format("job file {} cannot be read: {}", file, std::strerror(errno)));
  });
  text = comm.broadcast(std::move(text));
  JobSpec job;
  comm::phase(comm, [&] { job = parse_job(text, file, overrides); });
  return job;
}

}  // namespace armilla::job
