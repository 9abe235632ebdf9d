#include <armilla/core/saturating.hpp>
#include <armilla/job/plan/map_groups.hpp>
#include <armilla/job/plan/run_forecast.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// Minimum speed-up for advice.
constexpr int kMostNodesFactor = 1024;
constexpr int kMostAdvisedRanks = 1 << 16;
constexpr double kWorthwhile = 1.1;
/// Minimum speed-up for twice as many ranks; below it, most ranks wait.
constexpr double kWorthDoubling = 1.3;
/// Share of the time for files above which other layouts of ranks are not worth advice.
constexpr double kMostlyFiles = 0.5;

/// The same job with another occupancy.
struct OtherRun {
  JobPlan plan;
  RunMachine machine;
};

OtherRun other_run(const JobPlan& plan, const RunMachine& machine, const cost::Occupancy& occupancy) {
  OtherRun other{plan_for(plan, occupancy.ranks), machine};
  other.machine.occupancy = occupancy;
  if (plan.campaign) {
    RankMemory memory;
    if (machine.node_memory)
      memory.host = usable(std::max<Index>(*machine.node_memory / occupancy.ranks_per_node - machine.process_bytes, 0));
    const MapGroups groups = groups_that_fit(other.plan, occupancy.ranks, memory);
    if (groups.groups > 1) other.plan = plan_for(plan, (occupancy.ranks + groups.groups - 1) / groups.groups);
    other.plan.campaign->groups = groups.groups;
    set_batch(other.plan, batch_that_fits(other.plan, 0, memory));
  }
  other.plan.backend = plan.backend;
  other.plan.device = plan.device;
  return other;
}

bool fits(const OtherRun& other, CountedTransforms& counted) {
  if (!other.machine.node_memory) return true;
  const cost::Occupancy& own = other.machine.occupancy;
  const MemoryForecast memory =
      largest_memory(other.plan, other.machine.process_bytes, counted, EvaluatedRanks::kLikely);
  return core::saturating_product(std::min(own.ranks, own.ranks_per_node), memory.peak()) <= *other.machine.node_memory;
}

/// A time for display.
std::string in_seconds(double seconds) { return fmt::format("{:.3g} s", seconds); }

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
std::string advice_on_batches(const JobPlan& plan, const RunMachine& machine, const RunForecast& forecast,
                              CountedTransforms& counted) {
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
  const double seconds = forecast_time(smaller, machine, counted).seconds();
  if (seconds * kWorthwhile >= forecast.seconds()) return {};
  return fmt::format(
      "with batches of {} map{} instead of {}, more of the files are read and written during the work, and the run "
      "takes {:.3g} s instead of {:.3g} s: set execution.batch: {}",
      best, best == 1 ? "" : "s", own, seconds, forecast.seconds(), best);
}

bool fits(const RunForecast& forecast, const RunMachine& machine) {
  return !machine.node_memory || forecast.node_bytes <= *machine.node_memory;
}

/// Advice on the number and the layout of ranks.
class RankAdvice {
 public:
  RankAdvice(const JobPlan& plan, const RunMachine& machine, const RunForecast& forecast, CountedTransforms& counted,
             std::vector<std::string>& advice)
      : plan_(plan),
        machine_(machine),
        own_(machine.occupancy),
        seconds_(forecast.seconds()),
        counted_(counted),
        advice_(advice) {}

  /// The same cores with fewer ranks of more threads, or the reverse.
  void threads() {
    std::string alike;
    const std::size_t before = advice_.size();
    const auto consider = [&](int ranks, int ranks_per_node, int threads) {
      const auto other = time_of({ranks, ranks_per_node, threads});
      if (!other) return;
      const std::string layout = fmt::format("{} rank{} with {} thread{} each", ranks, ranks == 1 ? "" : "s", threads,
                                             threads == 1 ? "" : "s");
      if (other->seconds() * kWorthwhile < seconds_)
        advice_.push_back(fmt::format("{} on the same cores would take {}, including {} for the exchange", layout,
                                      in_seconds(other->seconds()), in_seconds(other->time.of("exchange"))));
      else if (other->seconds() < kWorthwhile * seconds_)
        alike += (alike.empty() ? "" : ", or ") + layout;
    };
    if (own_.ranks % 2 == 0 && own_.ranks_per_node % 2 == 0)
      consider(own_.ranks / 2, own_.ranks_per_node / 2, 2 * own_.threads);
    if (own_.threads % 2 == 0) consider(2 * own_.ranks, 2 * own_.ranks_per_node, own_.threads / 2);
    if (!alike.empty() && advice_.size() == before)
      advice_.push_back(alike + " on the same cores would change the time by less than 10%: choose by memory");
  }

  /// Half the ranks, on half the nodes if there are several, or twice as many nodes.
  void ranks() {
    if (own_.ranks >= 2 && own_.ranks % 2 == 0) {
      const int per_node = machine_.nodes() > 1 ? own_.ranks_per_node : std::max(own_.ranks_per_node / 2, 1);
      if (const auto half = time_of({own_.ranks / 2, per_node, own_.threads});
          half && half->seconds() < kWorthDoubling * seconds_) {
        const std::string time = in_seconds(half->seconds()), own = in_seconds(seconds_);
        advice_.push_back(fmt::format("with half as many ranks the run takes {}: {} {} sufficient",
                                      time == own ? "the same time, " + own : time + " instead of " + own,
                                      own_.ranks / 2, own_.ranks == 2 ? "rank is" : "ranks are"));
      }
    }
    if (machine_.nodes() > 1)
      if (const auto twice = time_of({2 * own_.ranks, own_.ranks_per_node, own_.threads});
          twice && kWorthDoubling * twice->seconds() < seconds_)
        advice_.push_back(fmt::format("with twice as many nodes the run takes {} instead of {}",
                                      in_seconds(twice->seconds()), in_seconds(seconds_)));
  }

  /// The number of nodes with enough memory.
  void memory() {
    for (int factor = 2; factor <= kMostNodesFactor && factor <= kMostAdvisedRanks / own_.ranks; factor *= 2) {
      if (!fits(other_run(plan_, machine_, {factor * own_.ranks, own_.ranks_per_node, own_.threads}), counted_))
        continue;
      advice_.push_back(
          fmt::format("{} nodes ({} ranks) have enough memory", factor * machine_.nodes(), factor * own_.ranks));
      return;
    }
  }

 private:
  /// std::nullopt if it does not fit in memory.
  std::optional<RunForecast> time_of(const cost::Occupancy& occupancy) {
    const OtherRun other = other_run(plan_, machine_, occupancy);
    if (!fits(other, counted_)) return std::nullopt;
    return forecast_time(other.plan, other.machine, counted_);
  }

  const JobPlan& plan_;
  const RunMachine& machine_;
  const cost::Occupancy& own_;
  double seconds_;
  CountedTransforms& counted_;
  std::vector<std::string>& advice_;
};

std::string advice_on_groups(const JobPlan& plan, const RunMachine& machine, const RunForecast& forecast) {
  const auto asked = plan.spec.execution.map_groups;
  return fmt::format(
      "the run uses {} group{} of {}{}, in batches of {} map{}{}", forecast.groups, forecast.groups == 1 ? "" : "s",
      ranks_of_groups({machine.occupancy.ranks, forecast.groups}), asked ? ", as requested by the job" : "",
      plan.campaign->batch, plan.campaign->batch == 1 ? "" : "s",
      asked ? ""
            : ": this is the largest number of groups that memory and the number of maps permit. Ranks that share a "
              "map must wait for each other");
}

}  // namespace

std::vector<std::string> advise(const JobPlan& plan, const RunMachine& machine, const RunForecast& forecast,
                                CountedTransforms& counted) {
  std::vector<std::string> advice;
  const bool mostly_files = forecast.file_share() > kMostlyFiles;
  if (mostly_files) advice.push_back(advice_on_files(plan, machine, forecast));
  RankAdvice of_ranks(plan, machine, forecast, counted, advice);
  // Other layouts would contradict the warning that the ranks do not fit a node.
  if (machine.fits_cores()) {
    of_ranks.threads();
    if (!mostly_files) of_ranks.ranks();
  }
  if (plan.campaign) {
    advice.push_back(advice_on_groups(plan, machine, forecast));
    if (const std::string batches = advice_on_batches(plan, machine, forecast, counted); !batches.empty())
      advice.push_back(batches);
  }
  if (!fits(forecast, machine)) of_ranks.memory();
  return advice;
}

}  // namespace armilla::job
