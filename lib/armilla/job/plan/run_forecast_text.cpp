#include <armilla/core/machine.hpp>
#include <armilla/job/plan/run_forecast.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

using nlohmann::json;

std::string data_size(double bytes) { return core::readable_bytes(static_cast<Index>(bytes)); }

std::string described(cost::Kernel kernel) {
  const cost::KernelInfo& row = cost::info(kernel);
  return fmt::format("{} ({}, {})", row.unit, row.phase, row.name);
}

double operations(const RunForecast& forecast, const char* phase) {
  return forecast.work.total(forecast.full_batches).load_of(phase).total;
}

bool has_exchange(const RunForecast& forecast) { return forecast.delta_bytes + forecast.other_bytes > 0; }

/// The rates in use, under a heading for each source.
std::string rates_text(const RunForecast& forecast, const RunMachine& machine) {
  const cost::Occupancy& own = machine.occupancy;
  std::string text, last;
  const auto add = [&](const std::string& whose, const std::string& source, double rate, const std::string& what) {
    const std::string heading = fmt::format("rates per second of {} ({}):\n", whose, source);
    if (heading != last) text += heading;
    last = heading;
    text += fmt::format("{:>14}  {}\n", fmt::format("{:.3g}", rate), what);
  };
  const std::string rank = fmt::format("a rank of {} thread{}", own.threads, own.threads == 1 ? "" : "s");
  const std::string group = forecast.groups > 1 ? "the ranks of a group together" : "all ranks together";
  for (const cost::RateUse& one : forecast.rates)
    add(cost::is_of_files(one.kernel) ? group : rank, one.source, one.rate, described(one.kernel));
  if (has_exchange(forecast)) {
    const cost::ExchangeRate exchange = machine.rates.exchange(own);
    add("a rank in exchanges", exchange.source, exchange.bandwidth,
        fmt::format("bytes, after {:.3g} s for each other rank", exchange.latency));
  }
  add("the file system for all ranks together", machine.rates.file_system_source(), machine.rates.file_system(),
      "bytes, at most");
  add("the network of a node", machine.rates.node_network_source(own), machine.rates.node_network(own),
      "bytes, at most");
  return text;
}

std::string batch_text(const RunForecast& forecast, const RunMachine& machine) {
  const BatchTime& batch = forecast.batch;
  std::string text = fmt::format(
      "time of a batch in a group of ranks: {:.3g} s of work, {:.3g} s to read and {:.3g} s to write its files, during "
      "the work on other batches",
      batch.work, batch.read, batch.write + batch.create);
  if (batch.core > 0) {
    const NodeCores cores = machine.cores();
    text += fmt::format(
        "; files take a core from the work for {:.3g} s, because the ranks use the {} cores of a node "
        "({}{})",
        batch.core, cores.number, cores.source, cores.is_given ? "" : "; set --cores-per-node if it has more");
  }
  return text + "\n";
}

}  // namespace

std::string forecast_text(const RunForecast& forecast, const RunMachine& machine,
                          const std::vector<std::string>& advice) {
  const cost::Occupancy& own = machine.occupancy;
  std::string text = fmt::format(
      "exchange between ranks: {} in total{}, at most {} from one rank to another at a time\n",
      data_size(forecast.delta_bytes),
      forecast.other_bytes > 0
          ? fmt::format(", and about {} for points, neighbouring rings or whole maps", data_size(forecast.other_bytes))
          : "",
      data_size(forecast.pair_bytes));
  text += fmt::format("operations: {:.3g} FMA in Legendre stages\n", operations(forecast, "legendre"));
  for (const TransformShare& share : forecast.work.shares)
    text += fmt::format(
        "load balance of {}: the busiest rank exceeds the mean by {:.1f}% in the Legendre stage, by {:.1f}% in the "
        "rings\n",
        share.step, 100 * (share.legendre - 1), 100 * (share.rings - 1));
  text += rates_text(forecast, machine);
  text += fmt::format("predicted time: {:.3g} s with {} rank{} of {} thread{}, {} per node ({})\n", forecast.seconds(),
                      own.ranks, own.ranks == 1 ? "" : "s", own.threads, own.threads == 1 ? "" : "s",
                      own.ranks_per_node, machine.rates.source());
  for (const cost::PhaseSeconds& phase : forecast.time.phases)
    text += fmt::format("{:>14}  {}\n", fmt::format("{:.3g} s", phase.seconds), phase.phase);
  if (forecast.batches > 0) text += batch_text(forecast, machine);
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
  const cost::ExchangeRate exchange = machine.rates.exchange(own);
  json used = json::array();
  for (const cost::RateUse& one : forecast.rates)
    used.push_back({{"kernel", cost::info(one.kernel).name},
                    {"unit", cost::info(one.kernel).unit},
                    {"rate", one.rate},
                    {"source", one.source}});
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
      {"rates",
       {{"calibrated", machine.rates.calibrated()},
        {"source", machine.rates.source()},
        {"file_system", {{"rate", machine.rates.file_system()}, {"source", machine.rates.file_system_source()}}},
        {"node_network",
         {{"rate", machine.rates.node_network(own)}, {"source", machine.rates.node_network_source(own)}}},
        {"exchange", {{"latency", exchange.latency}, {"bandwidth", exchange.bandwidth}, {"source", exchange.source}}},
        {"used", used}}},
      {"seconds", forecast.seconds()},
      {"phases", phases},
      {"notes", forecast.work.assumptions},
      {"advice", advice},
      {"warnings", warnings}};
  if (plan.campaign)
    result["campaign"] = {{"maps", plan.campaign->maps()},
                          {"batch", plan.campaign->batch},
                          {"groups", forecast.groups},
                          {"batches_of_a_group", forecast.batches},
                          {"batch_seconds",
                           {{"work", forecast.batch.work},
                            {"read", forecast.batch.read},
                            {"write", forecast.batch.write + forecast.batch.create},
                            {"core", forecast.batch.core}}}};
  return result;
}

}  // namespace armilla::job
