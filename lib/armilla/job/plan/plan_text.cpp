#include <armilla/core/machine.hpp>
#include <armilla/core/precision_name.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/plan/backend_plan.hpp>
#include <armilla/job/plan/input_fields.hpp>
#include <armilla/job/plan/plan_text.hpp>

#include <span>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

std::string value_text(const ValueInfo& value) {
  switch (value.sort) {
    case ValueSort::kMap:
      return fmt::format("'{}' {} on {}", value.name, fmt::join(value.kind.map_names(), ","),
                         value.pixels->grid().description().text());
    case ValueSort::kAlm:
      return fmt::format("'{}' {} to lmax {}, mmax {}", value.name, fmt::join(value.kind.alm_names(), ","),
                         value.alm->layout().lmax(), value.alm->layout().mmax());
    case ValueSort::kPoints:
      return fmt::format("'{}' {} points", value.name, value.catalogue->points);
    case ValueSort::kValues:
      return fmt::format("'{}' {} at {} points", value.name, fmt::join(value.kind.map_names(), ","),
                         value.catalogue->points);
    case ValueSort::kTable:
      return fmt::format("'{}' {}, {} rows", value.name, fmt::join(value.spectra, ","), value.spectra_lmax + 1);
    case ValueSort::kSpectra:
    case ValueSort::kStatistics:
      break;
  }
  return fmt::format("'{}' {} to lmax {}", value.name, fmt::join(value.spectra, ","), value.spectra_lmax);
}

std::string step_text(const JobPlan& plan, std::size_t index) {
  const PlannedStep& step = plan.steps[index];
  std::string text = plan.spec.steps[index].place.path + ":";
  for (std::size_t i = 0; i < step.operands.size(); ++i) {
    const std::string& name = plan.values[step.operands[i]].name;
    if (i > 0 && step.operands[i] == step.operands[0]) continue;
    text += fmt::format(" '{}'", name);
  }
  for (std::size_t i = 0; i < step.results.size(); ++i)
    text += (i == 0 ? " -> " : " and ") + value_text(plan.values[step.results[i]]);
  if (step.transform && step.transform->resampled())
    text += fmt::format(", theta resampled to {} ring pairs from {}", step.transform->grid_pairs(),
                        step.transform->legendre_pairs());
  if (step.transforms > 1) text += fmt::format(", {} transforms", step.transforms);
  if (const std::string note = plan.spec.steps[index].operation->plan_note(plan, step); !note.empty())
    text += ", " + note;
  return text;
}

// Host memory, and device memory if there is a device, during one action of both schedules.
std::string memory_text(const MemoryForecast& forecast, std::size_t action) {
  std::string text = fmt::format("{:>14}  ", core::readable_bytes(forecast.actions[action]));
  if (!forecast.device.empty()) text += fmt::format("{:>14}  ", core::readable_bytes(forecast.device[action].total()));
  return text;
}

std::string device_text(const DevicePlan& device, const DeviceBytes& peak) {
  const std::string room = device.room == backend::kNoDevice
                               ? "no GPU is visible here"
                               : "available per rank: " + core::readable_bytes(device.room);
  return fmt::format(
      "predicted peak device memory per rank: {} (fields {}, Delta {}, tables {}, workspace {}); at least {} is "
      "needed; {}\n",
      core::readable_bytes(peak.total()), core::readable_bytes(peak.fields), core::readable_bytes(peak.transforms.kept),
      core::readable_bytes(peak.transforms.tables), core::readable_bytes(peak.transforms.workspace),
      core::readable_bytes(device.needed), room);
}

/// `first`: index of the first action among those of both schedules.
std::string actions_text(const JobPlan& plan, std::span<const Action> actions, const MemoryForecast& forecast,
                         std::size_t first) {
  std::string text;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const Action& action = actions[i];
    const std::string memory = memory_text(forecast, first + i);
    if (action.kind == ActionKind::kRead)
      text += memory + fmt::format("read {} from {}\n", value_text(plan.values[plan.inputs[action.index].value]),
                                   plan.spec.inputs[action.index].file);
    if (action.kind == ActionKind::kStep) text += memory + step_text(plan, action.index) + "\n";
    if (action.kind == ActionKind::kWrite)
      text += memory + fmt::format("write '{}' to {} (about {})\n", plan.spec.outputs[action.index].name,
                                   plan.spec.outputs[action.index].file,
                                   core::readable_bytes(plan.outputs[action.index].bytes));
  }
  return text;
}

}  // namespace

std::string plan_text(const JobPlan& plan, const RunForecast& forecast, const RunMachine& machine,
                      const std::vector<std::string>& advice, const std::optional<comm::NodeMemory>& memory) {
  const MemoryForecast& largest = forecast.memory;
  const int threads = machine.occupancy.threads, ranks = machine.occupancy.ranks;
  std::string text =
      fmt::format("plan of {}: {} rank{}, {} thread{} each, {} precision, backend {}\n", plan.spec.file, ranks,
                  ranks == 1 ? "" : "s", threads, threads == 1 ? "" : "s",
                  core::precision_name(plan.spec.execution.precision), name_of(plan.spec.execution.backend));
  if (plan.backend.trial) text += check_text(*plan.backend.trial);
  if (!plan.backend.note.empty()) text += "note: " + plan.backend.note + "\n";
  for (const std::string& fields : input_fields_text(plan)) text += fields + "\n";
  const std::string device_column = largest.device.empty() ? "" : fmt::format("{:>14}  ", "device/rank");
  text += fmt::format("{:>14}  {}{}\n", "memory/rank", device_column, "work");
  text += actions_text(plan, plan.schedule, largest, 0);
  if (plan.campaign) {
    const CampaignPlan& campaign = *plan.campaign;
    if (campaign.taken() < campaign.maps())
      text += fmt::format("{} of {} maps remain for this run\n", campaign.taken(), campaign.maps());
    text += fmt::format("{} maps in {} batch{} of {}, with {} group{} of ranks; for each batch:\n", campaign.taken(),
                        campaign.batches(), campaign.batches() == 1 ? "" : "es", campaign.batch, campaign.groups,
                        campaign.groups == 1 ? "" : "s");
    text += actions_text(plan, campaign.schedule, largest, plan.schedule.size());
    for (std::size_t i = 0; i < plan.outputs.size(); ++i)
      if (plan.values[plan.outputs[i].value].sort == ValueSort::kStatistics)
        text += fmt::format("{:>14}  write '{}' to {} (about {})\n", "", plan.spec.outputs[i].name,
                            plan.spec.outputs[i].file, core::readable_bytes(plan.outputs[i].bytes));
  }
  text += fmt::format("predicted peak memory per rank: {} ({} for the process itself)\n",
                      core::readable_bytes(largest.peak()), core::readable_bytes(largest.baseline));
  if (memory) {
    text += fmt::format("memory of the most heavily used node: {}\n", comm::memory_text(*memory));
    if (!memory->fits()) text += "warning: a run here would be rejected for lack of memory\n";
  } else {
    text += fmt::format("memory needed per node: {}{}\n", core::readable_bytes(forecast.node_bytes),
                        machine.node_memory ? ", of " + core::readable_bytes(*machine.node_memory)
                                            : "; set --memory-per-node to compare");
  }
  if (plan.device) text += device_text(*plan.device, largest.device_peak());
  text += forecast_text(forecast, machine, advice);
  for (const auto& warning : plan.warnings) text += "warning: " + warning + "\n";
  return text;
}

nlohmann::json dry_run_json(const JobPlan& plan, const RunForecast& forecast, const RunMachine& machine,
                            const std::vector<std::string>& advice, const comm::NodeMemory& memory) {
  nlohmann::json result = forecast_json(plan, forecast, machine, advice);
  result["dry_run"] = true;
  result["input_fields"] = input_fields_json(plan);
  result["precision"] = core::precision_name(plan.spec.execution.precision);
  result["tightest_node"] = {{"node", memory.node},           {"ranks", memory.ranks}, {"needed", memory.needed},
                             {"available", memory.available}, {"bound", memory.bound}, {"fits", memory.fits()}};
  result["outputs"] = nlohmann::json::array();
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    result["outputs"].push_back(
        {{"name", plan.spec.outputs[i].name}, {"path", plan.spec.outputs[i].file}, {"bytes", plan.outputs[i].bytes}});
  return result;
}

}  // namespace armilla::job
