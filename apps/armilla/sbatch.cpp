#include "sbatch.hpp"

#include <armilla/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "standard_streams.hpp"
#include <fmt/format.h>

namespace armilla::app {

namespace {

/// Ratio of the requested time to the predicted time: a margin for effects that the model does not include.
constexpr double kTimeMargin = 2;
constexpr double kStartMinutes = 5;
/// Ratio of the requested memory to the predicted memory.
constexpr double kMemoryMargin = 1.15;
/// Least time between the signal to stop and the time limit [s], that of campaign.sbatch.
constexpr double kLeastNotice = 120;

/// Largest notice that Slurm accepts [s].
constexpr double kMostNotice = 65535;

/// A word of a shell command.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}

/// Absolute path of a batch script: in ARMILLA_SCRIPTS, or of the installation or checkout that contains this program.
std::string script_path(const std::string& name) {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders;
  if (const char* const own = std::getenv("ARMILLA_SCRIPTS"); own != nullptr && *own != '\0') folders.emplace_back(own);
  std::error_code error;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error)
    for (const char* const from_program : {"../share/armilla/slurm", "../../scripts/slurm"})
      folders.push_back(program.parent_path() / from_program);
  for (const fs::path& folder : folders)
    if (const fs::path script = fs::absolute(folder / name).lexically_normal(); fs::is_regular_file(script, error))
      return script.string();
  throw core::InputError(fmt::format(
      "{} is neither in share/armilla/slurm of the installation nor in scripts/slurm of the checkout of this "
      "program: set ARMILLA_SCRIPTS to its folder",
      name));
}

std::string script_of(bool is_campaign) { return script_path(is_campaign ? "campaign.sbatch" : "transform.sbatch"); }

std::string time_text(double seconds) {
  return seconds < 7200 ? fmt::format("{:.1f} minutes", seconds / 60) : fmt::format("{:.1f} hours", seconds / 3600);
}

/// What to type so that a batch fits into `available` seconds.
std::string batch_remedy(const job::JobForecast& forecast, double needed, double available) {
  const auto maps = static_cast<double>(forecast.plan.campaign->batch);
  if (const double fitting = std::floor(maps * available / needed); fitting >= 1)
    return fmt::format("add --set execution.batch={:.0f}, or give a longer --time-limit", fitting);
  if (forecast.run.groups > 1)
    return fmt::format(
        "use more ranks for each map: add --set execution.map_groups=N with N below {}, or give a longer "
        "--time-limit",
        forecast.run.groups);
  return "use more ranks for each map: give more --ranks, or a longer --time-limit";
}

/// Warns on standard error if the run, or a batch of a campaign, may not fit the time limit of the queue.
void check_time_limit(double limit, const job::JobForecast& forecast) {
  const auto& campaign = forecast.plan.campaign;
  const double predicted = campaign ? forecast.run.batch.total() : forecast.run.seconds();
  const double needed = kTimeMargin * predicted, available = std::max(limit - 60 * kStartMinutes, 0.0);
  if (needed > available) {
    const std::string what = campaign
                                 ? fmt::format("a batch of {} map{}", campaign->batch, campaign->batch == 1 ? "" : "s")
                                 : std::string("the run");
    print_error(fmt::format(
        "armilla: warning: the predicted time of {} is {}, or {} with a margin of {:.0f}. A --time-limit of {} leaves "
        "{} after {:.0f} minutes for the start, so {}: {}\n",
        what, time_text(predicted), time_text(needed), kTimeMargin, time_text(limit), time_text(available),
        kStartMinutes,
        campaign ? "a job might end without completing a batch" : "the job might end before the run is complete",
        campaign ? batch_remedy(forecast, needed, available) : "give more --ranks, or a longer --time-limit"));
  }
  if (!campaign || available <= 0) return;
  if (const double jobs = std::ceil(forecast.run.seconds() / available); jobs > 1)
    print_error(fmt::format(
        "armilla: note: the predicted time of the run is {}, so it takes about {:.0f} jobs of {} one after the other: "
        "campaign.sbatch requeues itself until all maps are done\n",
        time_text(forecast.run.seconds()), jobs, time_text(limit)));
}

/// Seconds before the time limit at which a campaign is asked to stop: it stops after the current batch.
double notice(const job::BatchTime& batch) {
  return std::clamp(std::ceil(kTimeMargin * batch.total() + kLeastNotice / 2), kLeastNotice, kMostNotice);
}

}  // namespace

void check_sbatch_scripts() {
  for (const bool is_campaign : {false, true}) script_of(is_campaign);
}

std::string sbatch_line(const std::string& job, const job::ForecastOptions& options, std::optional<double> time_limit,
                        const job::JobForecast& forecast) {
  const cost::Occupancy& own = forecast.machine.occupancy;
  const bool is_campaign = forecast.plan.campaign.has_value();
  double minutes = std::ceil(kTimeMargin * forecast.run.seconds() / 60 + kStartMinutes);
  if (time_limit) {
    minutes = std::clamp(std::floor(*time_limit / 60), 1.0, minutes);
    check_time_limit(*time_limit, forecast);
  }
  const double mebibytes = std::ceil(kMemoryMargin * static_cast<double>(forecast.run.node_bytes) / (1 << 20));
  std::string line =
      fmt::format("sbatch --nodes={} --ntasks={} --ntasks-per-node={} --cpus-per-task={} --mem={:.0f}M --time={:.0f}",
                  forecast.machine.nodes(), own.ranks, own.ranks_per_node, own.threads, mebibytes, minutes);
  if (is_campaign) line += fmt::format(" --signal=B:USR1@{:.0f}", notice(forecast.run.batch));
  if (options.gpus_per_node > 0) line += fmt::format(" --gpus-per-node={}", options.gpus_per_node);
  line += fmt::format(" {} {}", shell_word(script_of(is_campaign)), shell_word(job));
  for (const std::string& change : options.overrides) line += " --set " + shell_word(change);
  if (!options.output_dir.empty()) line += " --output-dir " + shell_word(options.output_dir);
  return line + "\n";
}

}  // namespace armilla::app
