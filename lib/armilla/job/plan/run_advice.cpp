#include <armilla/job/plan/map_groups.hpp>
#include <armilla/job/plan/run_forecast.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// Minimum speed-up for advice.
constexpr double kWorthwhile = 1.1;
/// Minimum speed-up for twice as many ranks; below it, most ranks wait.
constexpr double kWorthDoubling = 1.3;
/// Share of the time for files above which other layouts of ranks are not worth advice.
constexpr double kMostlyFiles = 0.5;

/// The forecast of the same job with another occupancy; std::nullopt if it cannot be planned.
std::optional<RunForecast> other_forecast(const JobPlan& plan, RunMachine machine, const cost::Occupancy& occupancy) {
  machine.occupancy = occupancy;
  JobPlan other = plan_for(plan.spec, occupancy.ranks);
  if (plan.campaign) {
    RankMemory memory;
    if (machine.node_memory)
      memory.host = usable(std::max<Index>(*machine.node_memory / occupancy.ranks_per_node - machine.process_bytes, 0));
    const MapGroups groups = groups_that_fit(other, occupancy.ranks, memory);
    if (groups.groups > 1) other = plan_for(plan.spec, (occupancy.ranks + groups.groups - 1) / groups.groups);
    other.campaign->groups = groups.groups;
    set_batch(other, batch_that_fits(other, 0, memory));
  }
  other.backend = plan.backend;
  other.device = plan.device;
  return forecast_run(other, machine);
}

/// "1 rank", or "1 or 2 ranks" if group sizes differ.
std::string ranks_of_groups(const MapGroups& groups) {
  const int least = groups.ranks / groups.groups, most = (groups.ranks + groups.groups - 1) / groups.groups;
  return least == most ? fmt::format("{} rank{}", most, most == 1 ? "" : "s")
                       : fmt::format("{} or {} ranks", least, most);
}

bool uses(const RunForecast& forecast, cost::Kernel kernel) {
  return std::ranges::find(forecast.rates, kernel, &cost::RateUse::kernel) != forecast.rates.end();
}

bool writes_doubles(const JobPlan& plan) {
  return std::ranges::any_of(plan.spec.outputs,
                             [](const OutputSpec& output) { return output.precision == core::Precision::kDouble; });
}

/// For runs that mostly wait for files.
std::string advice_on_files(const JobPlan& plan, const RunMachine& machine, const RunForecast& forecast) {
  std::string text = fmt::format("files take {:.0f}% of the time: ", 100 * forecast.file_share());
  if (uses(forecast, cost::Kernel::kWriteFits)) text += "write HDF5 instead of FITS, which one rank writes; ";
  if (uses(forecast, cost::Kernel::kReadText)) text += "read HDF5 instead of text, which one rank reads; ";
  if (writes_doubles(plan)) text += "write in single precision (outputs.NAME.precision); ";
  text += "on Lustre, stripe the folders of files (lfs setstripe -c -1 FOLDER)";
  if (!machine.rates.knows_file_system())
    text += fmt::format(
        "; the file system is assumed to transfer {:.3g} GB/s for all ranks together: set --file-rate to its rate",
        machine.rates.file_system() / 1e9);
  return text;
}

/// Advice on smaller batches, more of whose files are read and written during the work; empty if they are not
/// worthwhile.
std::string advice_on_batches(const JobPlan& plan, const RunMachine& machine, const RunForecast& forecast) {
  const Index own = plan.campaign->batch;
  const Index maps = (plan.campaign->taken() + forecast.groups - 1) / forecast.groups;
  const double others = forecast.seconds() - forecast.batch.seconds(forecast.batches);
  double least = forecast.seconds();
  Index best = own;
  for (Index batch = own / 2; batch >= 1; batch /= 2) {
    const double seconds = others + forecast.batch.seconds(static_cast<double>((maps + batch - 1) / batch),
                                                           static_cast<double>(batch) / static_cast<double>(own));
    if (seconds * kWorthwhile < least) {
      least = seconds;
      best = batch;
    }
  }
  if (best == own) return {};
  // Small batches take more work for each map.
  JobPlan smaller = plan;
  set_batch(smaller, best);
  const double seconds = forecast_run(smaller, machine).seconds();
  if (seconds * kWorthwhile >= forecast.seconds()) return {};
  return fmt::format(
      "with batches of {} map{} instead of {}, more of the files are read and written during the work, and the run "
      "takes {:.3g} s instead of {:.3g} s: set execution.batch: {}",
      best, best == 1 ? "" : "s", own, seconds, forecast.seconds(), best);
}

bool fits(const RunForecast& forecast, const RunMachine& machine) {
  return !machine.node_memory || forecast.node_bytes <= *machine.node_memory;
}

}  // namespace

std::vector<std::string> advise(const JobPlan& plan, const RunMachine& machine, const RunForecast& forecast) {
  std::vector<std::string> advice;
  const cost::Occupancy& own = machine.occupancy;
  const double seconds = forecast.seconds();
  const auto time_of = [&](const cost::Occupancy& occupancy) -> std::optional<RunForecast> {
    const auto other = other_forecast(plan, machine, occupancy);
    return other && fits(*other, machine) ? other : std::nullopt;
  };
  const bool mostly_files = forecast.file_share() > kMostlyFiles;
  if (mostly_files) advice.push_back(advice_on_files(plan, machine, forecast));
  // The same cores with fewer ranks of more threads, or the reverse.
  std::string alike;
  const auto with_threads = [&](int ranks, int ranks_per_node, int threads) {
    if (ranks < 1 || ranks_per_node < 1 || threads < 1) return;
    const auto other = time_of({ranks, ranks_per_node, threads});
    if (!other) return;
    if (other->seconds() * kWorthwhile < seconds)
      advice.push_back(fmt::format(
          "{} rank{} with {} thread{} each on the same cores would take {:.3g} s, including {:.3g} s for the exchange",
          ranks, ranks == 1 ? "" : "s", threads, threads == 1 ? "" : "s", other->seconds(),
          other->time.of("exchange")));
    else if (other->seconds() < kWorthwhile * seconds)
      alike += fmt::format("{}{} rank{} with {} thread{} each", alike.empty() ? "" : ", or ", ranks,
                           ranks == 1 ? "" : "s", threads, threads == 1 ? "" : "s");
  };
  const std::size_t before = advice.size();
  if (own.ranks % 2 == 0 && own.ranks_per_node % 2 == 0)
    with_threads(own.ranks / 2, own.ranks_per_node / 2, 2 * own.threads);
  if (own.threads % 2 == 0) with_threads(2 * own.ranks, 2 * own.ranks_per_node, own.threads / 2);
  if (!alike.empty() && advice.size() == before)
    advice.push_back(alike + " on the same cores would change the time by less than 10%: choose by memory");
  // Half the ranks, on half the nodes if there are several.
  if (!mostly_files && own.ranks >= 2 && own.ranks % 2 == 0) {
    const int per_node = machine.nodes() > 1 ? own.ranks_per_node : std::max(own.ranks_per_node / 2, 1);
    if (const auto half = time_of({own.ranks / 2, per_node, own.threads});
        half && half->seconds() < kWorthDoubling * seconds)
      advice.push_back(
          fmt::format("with half as many ranks the run takes {:.3g} s instead of {:.3g} s: {} {} sufficient",
                      half->seconds(), seconds, own.ranks / 2, own.ranks == 2 ? "rank is" : "ranks are"));
  }
  if (!mostly_files && machine.nodes() > 1) {
    if (const auto twice = time_of({2 * own.ranks, own.ranks_per_node, own.threads});
        twice && kWorthDoubling * twice->seconds() < seconds)
      advice.push_back(fmt::format("with twice as many nodes the run takes {:.3g} s instead of {:.3g} s",
                                   twice->seconds(), seconds));
  }
  if (plan.campaign) {
    const auto asked = plan.spec.execution.map_groups;
    advice.push_back(fmt::format(
        "the run uses {} group{} of {}{}, in batches of {} map{}{}", forecast.groups, forecast.groups == 1 ? "" : "s",
        ranks_of_groups({own.ranks, forecast.groups}), asked ? ", as requested by the job" : "", plan.campaign->batch,
        plan.campaign->batch == 1 ? "" : "s",
        asked ? ""
              : ": this is the largest number of groups that memory and the number of maps permit. Ranks that share a "
                "map must wait for each other"));
  }
  if (plan.campaign)
    if (const std::string batches = advice_on_batches(plan, machine, forecast); !batches.empty())
      advice.push_back(batches);
  if (!fits(forecast, machine)) {
    for (int factor = 2; factor <= 1024; factor *= 2) {
      const auto more = other_forecast(plan, machine, {factor * own.ranks, own.ranks_per_node, own.threads});
      if (!more || !fits(*more, machine)) continue;
      advice.push_back(
          fmt::format("{} nodes ({} ranks) have enough memory", factor * machine.nodes(), factor * own.ranks));
      break;
    }
  }
  return advice;
}

}  // namespace armilla::job
