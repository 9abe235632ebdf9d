#include <armilla/core/machine.hpp>
#include <armilla/job/plan/run_forecast.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

using nlohmann::json;

std::string data_size(double bytes) { return core::readable_bytes(static_cast<Index>(bytes)); }

double operations(const RunForecast& forecast, const char* phase) {
  return forecast.work.total(forecast.batches * forecast.groups).load_of(phase).total;
}

}  // namespace

std::string forecast_text(const RunForecast& forecast, const RunMachine& machine,
                          const std::vector<std::string>& advice) {
  const cost::Occupancy& own = machine.occupancy;
  std::string text =
      fmt::format("exchange between ranks: {} in total{}, at most {} from one rank to another at a time\n",
                  data_size(forecast.delta_bytes),
                  forecast.other_bytes > 0
                      ? fmt::format(", and about {} for points or neighbouring rings", data_size(forecast.other_bytes))
                      : "",
                  data_size(forecast.pair_bytes));
  text += fmt::format("operations: {:.3g} FMA in Legendre stages\n", operations(forecast, "legendre"));
  for (const TransformShare& share : forecast.work.shares)
    text += fmt::format(
        "load balance of {}: the busiest rank exceeds the mean by {:.1f}% in the Legendre stage, by {:.1f}% in the "
        "rings\n",
        share.step, 100 * (share.legendre - 1), 100 * (share.rings - 1));
  text += fmt::format("predicted time: {:.3g} s with {} rank{} of {} thread{}, {} per node ({})\n", forecast.seconds(),
                      own.ranks, own.ranks == 1 ? "" : "s", own.threads, own.threads == 1 ? "" : "s",
                      own.ranks_per_node, machine.rates.source());
  for (const cost::PhaseSeconds& phase : forecast.time.phases)
    text += fmt::format("{:>14}  {}\n", fmt::format("{:.3g} s", phase.seconds), phase.phase);
  for (const std::string& assumption : forecast.work.assumptions) text += "note: " + assumption + "\n";
  for (const std::string& one : advice) text += "advice: " + one + "\n";
  for (const std::string& warning : forecast.warnings) text += "warning: " + warning + "\n";
  return text;
}

json forecast_json(const JobPlan& plan, const RunForecast& forecast, const RunMachine& machine,
                   const std::vector<std::string>& advice) {
  const cost::Occupancy& own = machine.occupancy;
  json phases = json::object(), balance = json::array();
  for (const cost::PhaseSeconds& phase : forecast.time.phases) phases[phase.phase] = phase.seconds;
  for (const TransformShare& share : forecast.work.shares)
    balance.push_back({{"step", share.step}, {"legendre", share.legendre}, {"rings", share.rings}});
  std::vector<std::string> warnings = plan.warnings;
  warnings.insert(warnings.end(), forecast.warnings.begin(), forecast.warnings.end());
  json result{
      {"job", plan.spec.file},
      {"ranks", own.ranks},
      {"ranks_per_node", own.ranks_per_node},
      {"nodes", machine.nodes()},
      {"threads", own.threads},
      {"backend", name_of(plan.spec.execution.backend)},
      {"memory",
       {{"host", forecast.memory.peak()},
        {"process", forecast.memory.baseline},
        {"node", forecast.node_bytes},
        {"device", plan.device ? json(forecast.memory.device_peak().total()) : json()}}},
      {"exchange_bytes",
       {{"total", forecast.delta_bytes}, {"other", forecast.other_bytes}, {"largest_pair", forecast.pair_bytes}}},
      {"largest_buffer", forecast.largest_buffer},
      {"legendre_fma", operations(forecast, "legendre")},
      {"imbalance", balance},
      {"rates", {{"calibrated", machine.rates.calibrated()}, {"source", machine.rates.source()}}},
      {"seconds", forecast.seconds()},
      {"phases", phases},
      {"notes", forecast.work.assumptions},
      {"advice", advice},
      {"warnings", warnings}};
  if (plan.campaign)
    result["campaign"] = {{"maps", plan.campaign->maps()},
                          {"batch", plan.campaign->batch},
                          {"groups", forecast.groups},
                          {"batches_of_a_group", forecast.batches}};
  return result;
}

}  // namespace armilla::job
