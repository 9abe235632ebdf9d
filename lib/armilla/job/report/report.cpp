#include <armilla/backend/devices.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/parse/json_text.hpp>
#include <armilla/job/report/report.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

using nlohmann::json;

/// JSON has no representation of infinities and NaN.
json number_json(double number) { return std::isfinite(number) ? json(number) : json(std::to_string(number)); }
double number_of(const json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

json over_maps_json(const OverMaps& over) { return json::array({number_json(over.min), number_json(over.max)}); }
OverMaps over_maps_of(const json& value) { return {number_of(value[0]), number_of(value[1])}; }

/// Results of one group for its maps.
json found_json(const RunRecord& record) {
  json found{{"comparisons", json::array()},
             {"analyses", json::array()},
             {"resumed", json::array()},
             {"zeroed", json::array()},
             {"skipped", json::array()}};
  for (const auto& solved : record.analyses)
    found["analyses"].push_back({{"step", solved.step},
                                 {"method", solved.method},
                                 {"maps", solved.maps},
                                 {"unconverged", solved.unconverged},
                                 {"iterations", over_maps_json(solved.iterations)},
                                 {"normal_residual", over_maps_json(solved.normal_residual)},
                                 {"map_residual", over_maps_json(solved.map_residual)},
                                 {"alm_error", over_maps_json(solved.alm_error)},
                                 {"condition", over_maps_json(solved.condition)},
                                 {"displacement_residual", over_maps_json(solved.displacement_residual)},
                                 {"condition_iterations", solved.condition_iterations}});
  for (const auto& resumed : record.resumed)
    found["resumed"].push_back({{"step", resumed.step}, {"iterations", resumed.iterations}});
  for (const auto& comparison : record.comparisons) {
    json rms = json::array(), largest = json::array();
    for (const auto& [name, error] : comparison.relative_rms) rms.push_back(json::array({name, number_json(error)}));
    for (const auto& [name, error] : comparison.largest) largest.push_back(json::array({name, number_json(error)}));
    found["comparisons"].push_back({{"step", comparison.step},
                                    {"compared", comparison.compared},
                                    {"reference", comparison.reference},
                                    {"maps", comparison.maps},
                                    {"rms", rms},
                                    {"largest", largest}});
  }
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
  found["leakage"] = json::array();
  for (const auto& fits : record.leakage) {
    json lines = json::array();
    for (const auto& line : fits.lines)
      lines.push_back(json::array({line.item, number_json(line.slope), number_json(line.intercept)}));
    found["leakage"].push_back({{"step", fits.step}, {"map", fits.map}, {"lines", lines}});
  }
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
  for (const auto& item : found["comparisons"]) {
    Comparison comparison{item["step"], item["compared"], item["reference"], {}, {}, item["maps"]};
    for (const auto& error : item["rms"]) comparison.relative_rms.emplace_back(error[0], number_of(error[1]));
    for (const auto& error : item["largest"]) comparison.largest.emplace_back(error[0], number_of(error[1]));
    add_comparison(report.comparisons, comparison);
  }
  for (const auto& item : found["leakage"]) {
    LeakageFits fits{item["step"], item["map"], {}};
    for (const auto& line : item["lines"]) fits.lines.push_back({line[0], number_of(line[1]), number_of(line[2])});
    add_leakage(report.leakage, fits);
  }
  RunRecord joined;
  joined.zeroed = std::move(report.zeroed);
  joined.analyses = std::move(report.analyses);
  for (const auto& item : found["zeroed"])
    joined.add_zeroed({item["input"], item["file"], {item["nan"], item["bad_data"]}});
  for (const auto& item : found["analyses"])
    joined.add({item["step"], item["method"], item["maps"], item["unconverged"], over_maps_of(item["iterations"]),
                over_maps_of(item["normal_residual"]), over_maps_of(item["map_residual"]),
                over_maps_of(item["alm_error"]), over_maps_of(item["condition"]),
                over_maps_of(item["displacement_residual"]), item["condition_iterations"]});
  report.zeroed = std::move(joined.zeroed);
  report.analyses = std::move(joined.analyses);
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
  report.warnings = plan.warnings;
  for (const auto& rank : ranks) add_found(rank["found"], report);
  for (LeakageFits& fits : report.leakage) {
    std::ranges::sort(fits.lines, {}, &LeakageFits::Line::item);
    const auto same_item = [](const auto& a, const auto& b) { return a.item == b.item; };
    // Each group reports a fit shared by all maps.
    fits.lines.erase(std::unique(fits.lines.begin(), fits.lines.end(), same_item), fits.lines.end());
  }
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
