#include <armilla/core/build_info.hpp>
#include <armilla/job/machine.hpp>
#include <armilla/job/report.hpp>
#include <armilla/legendre/scalar_kernel.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

namespace {

using nlohmann::json;

const char* precision_name(core::Precision precision) {
  return precision == core::Precision::kSingle ? "single" : "double";
}

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

void append_leakage(std::string& text, const LeakageFits& fits) {
  if (fits.slope.size() == 1) {
    text += fmt::format("leakage in '{}': slope {:.6g}, intercept {:.3g}\n", fits.map, fits.slope.front(),
                        fits.intercept.front());
    return;
  }
  const auto [least, most] = std::ranges::minmax_element(fits.slope);
  text +=
      fmt::format("leakage in '{}', {} maps: slopes {:.6g} .. {:.6g}\n", fits.map, fits.slope.size(), *least, *most);
}

std::string bytes_text(double bytes) { return readable_bytes(static_cast<Index>(bytes)); }

}  // namespace

json report_json(const RunReport& report) {
  json result{
      {"program", "armilla"},
      {"version", core::kVersion},
      {"job", report.job},
      {"build",
       {{"compiler", core::kCompiler},
        {"type", core::kBuildType},
        {"sanitizers", core::kSanitizers},
        {"cuda", std::string(core::kCudaBuild) == "ON"}}},
      {"instruction_set", legendre::kernel_instruction_set()},
      {"backend", report.backend},
      {"precision", precision_name(report.precision)},
      {"ranks", report.ranks},
      {"hosts", report.hosts},
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
      {"comparisons", json::array()},
      {"leakage", json::array()},
      {"zeroed_pixels", json::array()},
      {"files", json::array()},
      {"warnings", report.warnings}};
  for (const auto& step : report.resampled)
    result["theta_resampling"].push_back(
        {{"step", step.step}, {"grid_pairs", step.grid_pairs}, {"legendre_pairs", step.legendre_pairs}});
  for (const auto& comparison : report.comparisons) {
    json errors = json::object();
    for (const auto& [name, value] : comparison.relative_rms) errors[name] = value;
    result["comparisons"].push_back({{"step", comparison.step},
                                     {"alm", comparison.alm},
                                     {"reference", comparison.reference},
                                     {"relative_rms", errors}});
  }
  for (const auto& fits : report.leakage)
    result["leakage"].push_back(
        {{"step", fits.step}, {"map", fits.map}, {"slope", fits.slope}, {"intercept", fits.intercept}});
  for (const auto& zeroed : report.zeroed)
    result["zeroed_pixels"].push_back({{"input", zeroed.input},
                                       {"file", zeroed.file},
                                       {"nan", zeroed.pixels.nan},
                                       {"bad_data", zeroed.pixels.bad_data}});
  for (const auto& file : report.files)
    result["files"].push_back({{"name", file.name}, {"path", file.path}, {"bytes", file.bytes}});
  return result;
}

std::string report_text(const RunReport& report) {
  std::string text = fmt::format("armilla {} ran {} in {:.2f} s\n", core::kVersion, report.job, report.seconds);
  text += fmt::format("{} rank{} on {} host{}, {} thread{} each, {} precision, backend {}\n", report.ranks,
                      report.ranks == 1 ? "" : "s", report.hosts, report.hosts == 1 ? "" : "s", report.threads,
                      report.threads == 1 ? "" : "s", precision_name(report.precision), report.backend);
  text += fmt::format("build: {}, {}, {}, CUDA {}\n", core::kCompiler, core::kBuildType,
                      legendre::kernel_instruction_set(), core::kCudaBuild);
  text += fmt::format("binding: {}\n\n", fmt::join(report.binding, "; "));
  append_times(text, "step", report.steps);
  append_times(text, "phase", report.phases);
  text += fmt::format("\nexchanged between ranks: {}, at most {} by one\n",
                      bytes_text(report.exchange_bytes.mean * report.ranks), bytes_text(report.exchange_bytes.max));
  text += fmt::format("peak memory per rank: {} .. {} measured, {} .. {} announced\n",
                      bytes_text(report.peak_memory.min), bytes_text(report.peak_memory.max),
                      bytes_text(report.announced_memory.min), bytes_text(report.announced_memory.max));
  for (const auto& step : report.resampled)
    text +=
        fmt::format("{}: theta resampled to {} ring pairs from {}\n", step.step, step.grid_pairs, step.legendre_pairs);
  for (const auto& zeroed : report.zeroed)
    text += fmt::format("input '{}': {} NaN and {} bad pixels set to zero\n", zeroed.input, zeroed.pixels.nan,
                        zeroed.pixels.bad_data);
  for (const auto& comparison : report.comparisons) {
    text += fmt::format("relative rms error of '{}' against '{}':", comparison.alm, comparison.reference);
    for (const auto& [name, value] : comparison.relative_rms) text += fmt::format("  {} {:.2e}", name, value);
    text += "\n";
  }
  for (const auto& fits : report.leakage) append_leakage(text, fits);
  for (const auto& file : report.files)
    text += fmt::format("wrote '{}' to {} ({})\n", file.name, file.path, readable_bytes(file.bytes));
  return text;
}

}  // namespace armilla::job
