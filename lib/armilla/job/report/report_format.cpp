#include <armilla/core/build_info.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/core/precision_name.hpp>
#include <armilla/job/plan/backend_plan.hpp>
#include <armilla/job/report/report.hpp>
#include <armilla/legendre/scalar_kernel.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

using nlohmann::json;

// More lines would push the rest of the report off the screen.
constexpr std::size_t kSkippedShown = 20;

json times_json(const std::vector<PhaseReport>& phases) {
  json list = json::array();
  for (const auto& phase : phases)
    list.push_back({{"name", phase.name},
                    {"min", phase.seconds.min},
                    {"mean", phase.seconds.mean},
                    {"max", phase.seconds.max},
                    {"imbalance", phase.seconds.imbalance()}});
  return list;
}

json over_ranks_json(const OverRanks& value) { return {{"min", value.min}, {"mean", value.mean}, {"max", value.max}}; }

void append_times(std::string& text, const char* title, const std::vector<PhaseReport>& phases) {
  text += fmt::format("{:<28} {:>10} {:>10} {:>10} {:>10}\n", title, "min [s]", "mean [s]", "max [s]", "max/mean");
  for (const auto& phase : phases)
    text += fmt::format("  {:<26} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.2f}\n", phase.name, phase.seconds.min,
                        phase.seconds.mean, phase.seconds.max, phase.seconds.imbalance());
}

std::string bytes_text(double bytes) { return core::readable_bytes(static_cast<Index>(bytes)); }

}  // namespace

json report_json(const RunReport& report) {
  json result = start_json(report.start);
  result["exit_code"] = core::kExitDone;
  result.update(
      {{"backend", report.backend},
       {"precision", core::precision_name(report.precision)},
       {"threads", report.threads},
       {"binding", report.binding},
       {"seconds", report.seconds},
       {"phases", times_json(report.phases)},
       {"steps", times_json(report.steps)},
       {"exchange_bytes",
        {{"total", report.exchange_bytes.mean * report.ranks},
         {"min", report.exchange_bytes.min},
         {"max", report.exchange_bytes.max}}},
       {"memory",
        {{"measured", over_ranks_json(report.peak_memory)}, {"announced", over_ranks_json(report.announced_memory)}}},
       {"theta_resampling", json::array()},
       {"zeroed_pixels", json::array()},
       {"resumed", json::array()},
       {"files", json::array()},
       {"checksums", json::array()},
       {"input_checksums", json::array()},
       {"input_fields", report.input_fields},
       {"notes", report.notes},
       {"warnings", report.warnings}});
  if (report.device_check)
    result["device_check"] = {{"device", report.device_check->device},
                              {"relative_rms", report.device_check->rms},  // null if infinite
                              {"limit", report.device_check->limit},
                              {"passed", report.device_check->passed},
                              {"kept", report.device_check->kept}};
  for (const auto& step : report.resampled)
    result["theta_resampling"].push_back(
        {{"step", step.step}, {"grid_pairs", step.grid_pairs}, {"legendre_pairs", step.legendre_pairs}});
  for (const FindingKind& kind : finding_kinds()) result[kind.name] = json::array();
  for (const Finding& finding : report.findings) result[finding.kind].push_back(finding_json(finding, report.labels));
  for (const auto& zeroed : report.zeroed)
    result["zeroed_pixels"].push_back({{"input", zeroed.input},
                                       {"file", zeroed.file},
                                       {"nan", zeroed.pixels.nan},
                                       {"bad_data", zeroed.pixels.bad_data}});
  for (const auto& resumed : report.resumed)
    result["resumed"].push_back({{"step", resumed.step}, {"iterations", resumed.iterations}});
  if (report.device)
    result["device_memory"] = {{"measured", over_ranks_json(report.device->peak)},
                               {"announced", over_ranks_json(report.device->announced)}};
  if (report.campaign) {
    const CampaignReport& campaign = *report.campaign;
    json skipped = json::array();
    for (const auto& map : campaign.skipped)
      skipped.push_back(map.step.empty()
                            ? json{{"map", map.label}, {"input", map.input}, {"file", map.file}, {"reason", map.reason}}
                            : json{{"map", map.label}, {"step", map.step}, {"reason", map.reason}});
    result["campaign"] = {{"maps", campaign.maps},       {"done_before", campaign.done_before},
                          {"left", campaign.left},       {"skipped", skipped},
                          {"batch", campaign.batch},     {"groups", campaign.groups},
                          {"seconds", campaign.seconds}, {"maps_per_second", campaign.maps_per_second()}};
  }
  for (const auto& file : report.files)
    result["files"].push_back({{"name", file.name}, {"path", file.path}, {"bytes", file.bytes}});
  for (const auto& file : report.checksums)
    result["checksums"].push_back({{"file", file.path}, {"bytes", file.size}, {"checksum", file.checksum}});
  for (const auto& file : report.input_checksums)
    result["input_checksums"].push_back({{"file", file.path},
                                         {"bytes", file.checksum.empty() ? json() : json(file.size)},
                                         {"checksum", file.checksum.empty() ? json() : json(file.checksum)}});
  return result;
}

std::string report_text(const RunReport& report) {
  const std::size_t hosts = report.start.hosts.size();
  std::string text = fmt::format("armilla {} ran {} in {:.2f} s\n", core::kVersion, report.start.job, report.seconds);
  text += fmt::format("{} rank{} on {} host{}, {} thread{} each, {} precision, backend {}\n", report.ranks,
                      report.ranks == 1 ? "" : "s", hosts, hosts == 1 ? "" : "s", report.threads,
                      report.threads == 1 ? "" : "s", core::precision_name(report.precision), report.backend);
  text += fmt::format("build: {}, {}, {}, CUDA {}\n", core::kCompiler, core::kBuildType,
                      legendre::kernel_instruction_set(), core::kCudaBuild);
  text += fmt::format("binding: {}\n", fmt::join(report.binding, "; "));
  if (report.device_check) text += check_text(*report.device_check);
  for (const auto& note : report.notes) text += "note: " + note + "\n";
  text += "\n";
  append_times(text, "step", report.steps);
  append_times(text, "phase", report.phases);
  text += fmt::format("\nexchanged between ranks: {}, at most {} by one rank\n",
                      bytes_text(report.exchange_bytes.mean * report.ranks), bytes_text(report.exchange_bytes.max));
  text += fmt::format("peak memory per rank: {} .. {} measured, {} .. {} predicted\n",
                      bytes_text(report.peak_memory.min), bytes_text(report.peak_memory.max),
                      bytes_text(report.announced_memory.min), bytes_text(report.announced_memory.max));
  if (report.device)
    text += fmt::format("peak device memory per rank: {} .. {} measured, {} .. {} predicted\n",
                        bytes_text(report.device->peak.min), bytes_text(report.device->peak.max),
                        bytes_text(report.device->announced.min), bytes_text(report.device->announced.max));
  for (const auto& step : report.resampled)
    text +=
        fmt::format("{}: theta resampled to {} ring pairs from {}\n", step.step, step.grid_pairs, step.legendre_pairs);
  for (const auto& zeroed : report.zeroed)
    text += fmt::format("input '{}': {} NaN and {} bad pixels set to zero\n", zeroed.input, zeroed.pixels.nan,
                        zeroed.pixels.bad_data);
  for (const auto& resumed : report.resumed)
    text += fmt::format("{}: resumed from a checkpoint after {} iterations\n", resumed.step, resumed.iterations);
  for (const FindingKind& kind : finding_kinds())
    for (const Finding& finding : report.findings)
      if (finding.kind == kind.name) text += kind.text(finding);
  if (report.campaign) {
    const CampaignReport& campaign = *report.campaign;
    text += fmt::format("{} maps in {:.2f} s, {:.3g} maps/s, in batches of {} with {} group{} of ranks\n",
                        campaign.maps, campaign.seconds, campaign.maps_per_second(), campaign.batch, campaign.groups,
                        campaign.groups == 1 ? "" : "s");
    if (campaign.done_before > 0) text += fmt::format("{} maps were already done\n", campaign.done_before);
    if (campaign.left > 0)
      text += fmt::format(
          "{} maps remain for other parts; the last part to finish completes the files that hold all maps\n",
          campaign.left);
    for (std::size_t i = 0; i < std::min(campaign.skipped.size(), kSkippedShown); ++i)
      text += fmt::format("left out map {}: {}\n", campaign.skipped[i].label, campaign.skipped[i].text());
    if (campaign.skipped.size() > kSkippedShown)
      text += fmt::format("and {} more maps were left out: use --report FILE for a full list\n",
                          campaign.skipped.size() - kSkippedShown);
  }
  for (const auto& file : report.files)
    text += fmt::format("wrote '{}' to {} ({})\n", file.name, file.path, core::readable_bytes(file.bytes));
  return text;
}

}  // namespace armilla::job
