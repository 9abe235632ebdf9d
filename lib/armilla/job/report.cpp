#include <armilla/job/machine.hpp>
#include <armilla/job/report.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

using nlohmann::json;

/// What one rank hands to the root.
std::string own_record(const RunRecord& record, const MemoryForecast& forecast) {
  json own{{"phases", json::array()},       {"steps", json::array()},       {"bytes", record.bytes_sent},
           {"peak", peak_resident_bytes()}, {"announced", forecast.peak()}, {"host", host_name()},
           {"binding", binding()}};
  for (const auto& entry : record.timers.entries())
    own["phases"].push_back({{"name", entry.name}, {"s", entry.seconds}});
  for (const auto& step : record.steps) own["steps"].push_back({{"name", step.step}, {"s", step.seconds}});
  return own.dump();
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

/// Times of the same name over ranks, in order of first use; a rank that lacks a name spent no time on it.
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

}  // namespace

RunReport collect_report(const comm::Communicator& comm, const JobPlan& plan, const RunRecord& record,
                         const MemoryForecast& forecast, double seconds) {
  std::vector<json> ranks;
  for (const auto& text : comm.gather(own_record(record, forecast))) ranks.push_back(json::parse(text));
  RunReport report;
  if (!comm.is_root()) return report;
  report.job = plan.spec.file;
  report.backend = record.backend.empty() ? plan.spec.execution.backend : record.backend;
  report.precision = plan.spec.execution.precision;
  report.ranks = comm.size();
  report.hosts = static_cast<int>(different(ranks, "host").size());
  report.threads = thread_count();
  report.binding = different(ranks, "binding");
  report.seconds = seconds;
  report.phases = times_over_ranks(ranks, "phases");
  report.steps = times_over_ranks(ranks, "steps");
  report.exchange_bytes = number_over_ranks(ranks, "bytes");
  report.peak_memory = number_over_ranks(ranks, "peak");
  report.announced_memory = number_over_ranks(ranks, "announced");
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto& transform = plan.steps[i].transform;
    if (transform && transform->resampled())
      report.resampled.push_back({plan.spec.steps[i].place.path, transform->grid_pairs(), transform->legendre_pairs()});
  }
  report.comparisons = record.comparisons;
  report.leakage = record.leakage;
  report.zeroed = record.zeroed;
  report.warnings = plan.warnings;
  for (const auto& output : plan.spec.outputs) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(output.file, error);
    report.files.push_back({output.name, output.file, error ? Index{0} : static_cast<Index>(bytes)});
  }
  return report;
}

}  // namespace armilla::job
