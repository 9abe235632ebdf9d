#include <armilla/core/build_info.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/core/numerics_version.hpp>
#include <armilla/core/precision_name.hpp>
#include <armilla/job/journal/campaign_key.hpp>
#include <armilla/job/journal/journal_place.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/parse/json_text.hpp>
#include <armilla/legendre/scalar_kernel.hpp>

#include <algorithm>

#include <fftw3.h>
#include <fmt/format.h>

namespace armilla::job {

using nlohmann::json;

namespace {

constexpr std::uint64_t kSecondSeed = 0x9ae16a3b2f90404fu;
constexpr std::size_t kDifferencesShown = 3;

json file_json(const JournalPlace& place, const std::string& path) {
  const FileStamp stamp = stamp_of(path);
  json result{{"path", place.relative(path)}};
  if (!stamp.is_there()) return result;
  result["size"] = stamp.size;
  result["mtime"] = stamp.mtime;
  return result;
}

/// A file, or the files of a list.
json files_json(const JournalPlace& place, const std::vector<std::string>& paths) {
  if (paths.size() == 1) return file_json(place, paths.front());
  json all = json::array();
  for (const std::string& path : paths) all.push_back(file_json(place, path));
  return {{"files", all}};
}

/// The section of the job as written, without the path.
json input_json(const JobPlan& plan, const json& written, std::size_t index, const JournalPlace& place) {
  const InputSpec& input = plan.spec.inputs[index];
  json result = written.value("inputs", json::object()).value(input.name, json::object());
  result["sort"] = sort_name(input.sort);
  result.erase(sort_name(input.sort));
  if (input.items.empty()) result["file"] = files_json(place, input.entries());
  // All maps are assumed to have the points of the first file.
  if (!input.items.files.empty() && has_points(input.sort))
    result["places"] = file_json(place, input.items.files.front());
  return result;
}

json execution_json(const JobPlan& plan) {
  const ExecutionSpec& execution = plan.spec.execution;
  return {{"backend", name_of(execution.backend)},
          {"engine", execution.options.engine},
          {"theta_resampling", name_of(execution.options.theta_resampling)},
          {"precision", core::precision_name(execution.precision)},
          {"on_nonfinite", execution.on_nonfinite == NonfinitePolicy::kWarn ? "warn" : "error"}};
}

void compare(const std::string& path, const json& before, const json& now, std::vector<std::string>& found) {
  if (before == now) return;
  const auto below = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
  if (before.is_object() && now.is_object()) {
    json keys = before;
    keys.update(now);
    for (const auto& [key, value] : keys.items())
      compare(below(key), before.value(key, json()), now.value(key, json()), found);
    return;
  }
  if (before.is_array() && now.is_array() && before.size() == now.size()) {
    for (std::size_t i = 0; i < now.size(); ++i) compare(below(fmt::format("{}", i)), before[i], now[i], found);
    return;
  }
  const auto text = [](const json& value) {
    std::string whole = value.is_null() ? "absent" : value.is_string() ? value.get<std::string>() : value.dump();
    return whole.size() > 80 ? whole.substr(0, 77) + "..." : whole;
  };
  found.push_back(fmt::format("{} was {}, now {}", path, text(before), text(now)));
}

}  // namespace

std::string digest_of(const json& value) {
  // File names need not be UTF-8.
  const std::string text = json_text(value);
  return fmt::format("{:016x}{:016x}", core::fnv1a(text.data(), text.size()),
                     core::fnv1a(text.data(), text.size(), kSecondSeed));
}

std::string differences(const json& before, const json& now) {
  std::vector<std::string> found;
  compare("", before, now, found);
  std::string text;
  for (std::size_t i = 0; i < std::min(found.size(), kDifferencesShown); ++i) text += (i == 0 ? "" : "; ") + found[i];
  if (found.size() > kDifferencesShown) text += fmt::format("; and {} more", found.size() - kDifferencesShown);
  return text;
}

json what_results_depend_on(const JobPlan& plan) {
  const JournalPlace place = journal_place(plan.spec);
  const json written = json::parse(plan.spec.written);
  json content{{"numerics", core::kNumericsVersion},
               {"instruction_set", legendre::kernel_instruction_set()},
               {"fftw", std::string(fftw_version)},
               {"execution", execution_json(plan)},
               {"inputs", json::object()},
               {"steps", written.value("steps", json::array())},
               {"files", json::object()},
               {"outputs", written.value("outputs", json::object())}};
  for (std::size_t i = 0; i < plan.spec.inputs.size(); ++i) {
    const InputSpec& input = plan.spec.inputs[i];
    if (input.is_of_step)
      content["files"][input.file] = file_json(place, input.file);
    else
      content["inputs"][input.name] = input_json(plan, written, i, place);
  }
  for (const StepSpec& step : plan.spec.steps)
    for (const FileSpec& file : step.operation->files()) content["files"][file.path] = file_json(place, file.path);
  return content;
}

CampaignKey campaign_key(const JobPlan& plan) {
  CampaignKey key;
  key.content = what_results_depend_on(plan);
  key.digest = digest_of(key.content);
  key.layout = digest_of({key.digest, plan.campaign->labels}).substr(0, 16);
  return key;
}

json map_inputs(const JobPlan& plan, Index item) {
  if (plan.outputs.empty()) return nullptr;  // no outputs, no journal
  const JournalPlace place = journal_place(plan.spec);
  json inputs = json::object();
  for (const InputSpec& input : plan.spec.inputs) {
    if (input.items.empty()) continue;
    const bool has_own = !input.items.files.empty();
    json& one = inputs[input.name] = files_json(place, input.files_of(item));
    if (!has_own) one["map"] = item;
  }
  for (const StepSpec& step : plan.spec.steps)
    if (step.operation->makes_items() > 0) inputs["number"] = item;
  return inputs;
}

}  // namespace armilla::job
