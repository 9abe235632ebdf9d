#include <armilla/backend/devices.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/parse/json_text.hpp>
#include <armilla/job/plan/input_fields.hpp>
#include <armilla/job/report/report.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

using nlohmann::json;

/// Results of one group for its maps.
json found_json(const RunRecord& record) {
  json found{
      {"findings", json::array()}, {"resumed", json::array()}, {"zeroed", json::array()}, {"skipped", json::array()}};
  for (const Finding& finding : record.findings) found["findings"].push_back(packed_finding(finding));
  for (const auto& resumed : record.resumed)
    found["resumed"].push_back({{"step", resumed.step}, {"iterations", resumed.iterations}});
  for (const auto& zeroed : record.zeroed)
    found["zeroed"].push_back({{"input", zeroed.input},
                               {"file", zeroed.file},
                               {"nan", zeroed.pixels.nan},
                               {"bad_data", zeroed.pixels.bad_data}});
  for (const auto& skipped : record.skipped)
    found["skipped"].push_back({{"input", skipped.input},
                                {"file", skipped.file},
                                {"step", skipped.step},
                                {"label", skipped.label},
                                {"reason", skipped.reason}});
  found["maps"] = record.maps;
  found["warnings"] = record.warnings;
  return found;
}

/// The record that one rank sends to the root.
std::string own_record(const RunRecord& record, const MemoryForecast& forecast, bool speaks) {
  json own{{"phases", json::array()},
           {"steps", json::array()},
           {"bytes", record.bytes_sent},
           {"peak", core::peak_resident_bytes()},
           {"announced", forecast.peak()},
           {"binding", core::binding()},
           {"device_peak", backend::peak_device_bytes()},
           {"device_announced", forecast.device_peak().total()}};
  for (const auto& entry : record.timers.entries())
    own["phases"].push_back({{"name", entry.name}, {"s", entry.seconds}});
  for (const auto& step : record.steps) own["steps"].push_back({{"name", step.step}, {"s", step.seconds}});
  own["found"] = speaks ? found_json(record) : json();
  return json_text(own);
}

/// The inverse of found_json(), applied to one group after the other.
void add_found(const json& found, RunReport& report) {
  if (found.is_null()) return;
  for (const auto& item : found["findings"]) add_finding(report.findings, unpacked_finding(item));
  RunRecord joined;
  joined.zeroed = std::move(report.zeroed);
  for (const auto& item : found["zeroed"])
    joined.add_zeroed({item["input"], item["file"], {item["nan"], item["bad_data"]}});
  report.zeroed = std::move(joined.zeroed);
  for (const auto& item : found["resumed"]) report.resumed.push_back({item["step"], item["iterations"]});
  for (const auto& item : found["warnings"])  // groups of ranks report the same warnings for steps that run once
    if (const auto warning = item.get<std::string>();
        std::ranges::find(report.warnings, warning) == report.warnings.end())
      report.warnings.push_back(warning);
  if (!report.campaign) return;
  report.campaign->maps += found["maps"].get<Index>();
  for (const auto& item : found["skipped"])
    report.campaign->skipped.push_back({item["input"], item["file"], item["step"], item["label"], item["reason"]});
}

OverRanks over_ranks(const std::vector<double>& values) {
  OverRanks result;
  if (values.empty()) return result;
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  result.min = *min;
  result.max = *max;
  for (const double value : values) result.mean += value / static_cast<double>(values.size());
  return result;
}

/// Times of the same name over ranks, in order of first use; a missing name counts as no time.
std::vector<PhaseReport> times_over_ranks(const std::vector<json>& ranks, const char* list) {
  std::vector<std::string> names;
  for (const auto& rank : ranks)
    for (const auto& entry : rank[list]) {
      const auto name = entry["name"].get<std::string>();
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  std::vector<PhaseReport> result;
  for (const auto& name : names) {
    std::vector<double> seconds;
    for (const auto& rank : ranks) {
      seconds.push_back(0);
      for (const auto& entry : rank[list])
        if (entry["name"] == name) seconds.back() += entry["s"].get<double>();
    }
    result.push_back({name, over_ranks(seconds)});
  }
  return result;
}

OverRanks number_over_ranks(const std::vector<json>& ranks, const char* key) {
  std::vector<double> values;
  for (const auto& rank : ranks) values.push_back(rank[key].get<double>());
  return over_ranks(values);
}

std::vector<std::string> different(const std::vector<json>& ranks, const char* key) {
  std::set<std::string> texts;
  for (const auto& rank : ranks) texts.insert(rank[key].get<std::string>());
  return {texts.begin(), texts.end()};
}

/// Of the records of all ranks, on the root.
RunReport report_of(const std::vector<std::string>& records, const RunStart& start, const JobPlan& plan,
                    const RunRecord& record, double seconds) {
  std::vector<json> ranks;
  for (const std::string& text : records) ranks.push_back(json::parse(text));
  RunReport report;
  report.start = start;
  report.backend = name_of(record.backend.value_or(plan.spec.execution.backend));
  report.precision = plan.spec.execution.precision;
  report.ranks = static_cast<int>(records.size());
  report.threads = core::thread_count();
  report.binding = different(ranks, "binding");
  report.seconds = seconds;
  report.phases = times_over_ranks(ranks, "phases");
  report.steps = times_over_ranks(ranks, "steps");
  report.exchange_bytes = number_over_ranks(ranks, "bytes");
  report.peak_memory = number_over_ranks(ranks, "peak");
  report.announced_memory = number_over_ranks(ranks, "announced");
  if (plan.device)
    report.device = DeviceReport{number_over_ranks(ranks, "device_peak"), number_over_ranks(ranks, "device_announced")};
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto& transform = plan.steps[i].transform;
    if (transform && transform->resampled())
      report.resampled.push_back({plan.spec.steps[i].place.path, transform->grid_pairs(), transform->legendre_pairs()});
  }
  if (plan.campaign) {
    report.campaign = CampaignReport{.batch = plan.campaign->batch,
                                     .groups = plan.campaign->groups,
                                     .seconds = record.campaign_seconds,
                                     .left = record.maps_left,
                                     .skipped = {}};
  }
  report.input_fields = input_fields_json(plan);
  report.warnings = plan.warnings;
  for (const auto& rank : ranks) add_found(rank["found"], report);
  if (plan.campaign) report.labels = plan.campaign->labels;
  report.device_check = plan.backend.trial;
  if (!plan.backend.note.empty()) report.notes.push_back(plan.backend.note);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const StepSpec& step = plan.spec.steps[i];
    if (const std::string note = step.operation->plan_note(plan, plan.steps[i]); !note.empty())
      report.notes.push_back(step.place.path + ": " + note);
  }
  report.files = written_files(plan, record.maps_left == 0);
  return report;
}

}  // namespace

RunReport collect_report(const comm::Communicator& comm, const RunStart& start, const JobPlan& plan,
                         const RunRecord& record, const MemoryForecast& forecast, bool speaks) {
  const double seconds = core::now_seconds() - start.seconds;
  std::string own;
  comm::phase(comm, [&] { own = own_record(record, forecast, speaks); });
  const std::vector<std::string> records = comm.gather(own);
  RunReport report;
  comm::phase(comm, [&] {
    if (comm.is_root()) report = report_of(records, start, plan, record, seconds);
  });
  return report;
}

std::vector<WrittenFile> written_files(const JobPlan& plan, bool is_complete) {
  std::vector<WrittenFile> all;
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    const OutputSpec& output = plan.spec.outputs[i];
    const bool is_of_maps = plan.outputs[i].form == OutputForm::kBatchAxis ||
                            plan.values[plan.outputs[i].value].sort == ValueSort::kStatistics;
    if (is_of_maps && !is_complete) continue;
    WrittenFile written{output.name, output.file, 0};
    const Index files = plan.outputs[i].form == OutputForm::kEach ? plan.campaign->maps() : 1;
    for (Index item = 0; item < files; ++item) {
      std::error_code error;
      const auto bytes = std::filesystem::file_size(output_file(plan, i, item), error);
      if (!error) written.bytes += static_cast<Index>(bytes);
    }
    all.push_back(written);
  }
  return all;
}

}  // namespace armilla::job
