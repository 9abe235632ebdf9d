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

json range_json(const OverMaps& value) { return {{"min", value.min}, {"max", value.max}}; }

json analysis_json(const SolvedAnalysis& solved) {
  json result{{"step", solved.step},
              {"method", solved.method},
              {"maps", solved.maps},
              {"unconverged", solved.unconverged},
              {"iterations", range_json(solved.iterations)}};
  if (solved.displacement_residual.any()) {
    result["displacement_residual_rad"] = range_json(solved.displacement_residual);
    return result;
  }
  result["normal_residual"] = range_json(solved.normal_residual);
  result["map_residual"] = range_json(solved.map_residual);
  if (solved.alm_error.any()) result["alm_error"] = range_json(solved.alm_error);
  if (solved.condition.any()) {
    result["condition"] = range_json(solved.condition);
    result["condition_iterations"] = solved.condition_iterations;
  }
  return result;
}

std::string range_text(const OverMaps& value) {
  return value.min == value.max ? fmt::format("{:.2g}", value.max)
                                : fmt::format("{:.2g} .. {:.2g}", value.min, value.max);
}

std::string analysis_text(const SolvedAnalysis& solved) {
  std::string text = fmt::format("{} by {}: {} iterations, ", solved.step, solved.method,
                                 solved.iterations.min == solved.iterations.max
                                     ? fmt::format("{:.0f}", solved.iterations.max)
                                     : fmt::format("{:.0f} .. {:.0f}", solved.iterations.min, solved.iterations.max));
  if (solved.displacement_residual.any())
    text += fmt::format("displaced points within {} rad of the pixels", range_text(solved.displacement_residual));
  else if (solved.alm_error.any())
    text += fmt::format("estimated relative error of the alm {}", range_text(solved.alm_error));
  else
    text += fmt::format("relative residual of the normal equations {}, condition at least {} after {} iterations",
                        range_text(solved.normal_residual), range_text(solved.condition), solved.condition_iterations);
  if (solved.map_residual.any())
    text += fmt::format(", rms of residual / rms of map {}", range_text(solved.map_residual));
  if (solved.unconverged > 0) text += fmt::format(", NOT CONVERGED: {} of {} maps", solved.unconverged, solved.maps);
  return text + "\n";
}

void append_times(std::string& text, const char* title, const std::vector<PhaseReport>& phases) {
  text += fmt::format("{:<28} {:>10} {:>10} {:>10} {:>10}\n", title, "min [s]", "mean [s]", "max [s]", "max/mean");
  for (const auto& phase : phases)
    text += fmt::format("  {:<26} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.2f}\n", phase.name, phase.seconds.min,
                        phase.seconds.mean, phase.seconds.max, phase.seconds.imbalance());
}

/// Slope and intercept per map, and its label in a campaign.
json leakage_json(const RunReport& report, const LeakageFits& fits) {
  json found{{"step", fits.step}, {"map", fits.map}, {"slope", json::array()}, {"intercept", json::array()}};
  for (const auto& line : fits.lines) {
    found["slope"].push_back(line.slope);
    found["intercept"].push_back(line.intercept);
    if (!report.labels.empty()) found["labels"].push_back(report.labels[static_cast<std::size_t>(line.item)]);
  }
  return found;
}

void append_leakage(std::string& text, const LeakageFits& fits) {
  if (fits.lines.size() == 1) {
    text += fmt::format("leakage in '{}': slope {:.6g}, intercept {:.3g}\n", fits.map, fits.lines.front().slope,
                        fits.lines.front().intercept);
    return;
  }
  const auto [least, most] = std::ranges::minmax_element(fits.lines, {}, &LeakageFits::Line::slope);
  text += fmt::format("leakage in '{}', {} maps: slopes {:.6g} .. {:.6g}\n", fits.map, fits.lines.size(), least->slope,
                      most->slope);
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
       {"analyses", json::array()},
       {"comparisons", json::array()},
       {"leakage", json::array()},
       {"zeroed_pixels", json::array()},
       {"resumed", json::array()},
       {"files", json::array()},
       {"checksums", json::array()},
       {"input_checksums", json::array()},
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
  for (const auto& solved : report.analyses) result["analyses"].push_back(analysis_json(solved));
  for (const auto& comparison : report.comparisons) {
    json errors = json::object(), largest = json::object();
    for (const auto& [name, value] : comparison.relative_rms) errors[name] = value;
    for (const auto& [name, value] : comparison.largest) largest[name] = value;
    json& item =
        result["comparisons"].emplace_back(json{{"step", comparison.step},
                                                {comparison.largest.empty() ? "alm" : "values", comparison.compared},
                                                {"reference", comparison.reference},
                                                {"maps", comparison.maps},
                                                {"relative_rms", errors}});
    if (!largest.empty()) item["largest_difference"] = largest;
  }
  for (const auto& fits : report.leakage) result["leakage"].push_back(leakage_json(report, fits));
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
  for (const auto& solved : report.analyses) text += analysis_text(solved);
  for (const auto& comparison : report.comparisons) {
    text += fmt::format("relative rms error of '{}' against '{}'{}:", comparison.compared, comparison.reference,
                        comparison.maps > 1 ? fmt::format(", maximum over {} maps", comparison.maps) : "");
    for (const auto& [name, value] : comparison.relative_rms) text += fmt::format("  {} {:.2e}", name, value);
    if (!comparison.largest.empty()) text += "; largest difference:";
    for (const auto& [name, value] : comparison.largest) text += fmt::format("  {} {:.2e}", name, value);
    text += "\n";
  }
  for (const auto& fits : report.leakage) append_leakage(text, fits);
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
