#include <armilla/core/machine.hpp>
#include <armilla/job/plan/map_groups.hpp>
#include <armilla/job/plan/run_forecast.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// If there are at most this many ranks, all are evaluated.
constexpr int kAllRanks = 64;
/// Number of other ranks evaluated if there are more.
constexpr int kSampledRanks = 8;
/// Time of start-up, reading of headers and checks of a job; measured.
constexpr double kStartSeconds = 0.05;

/// Ranks that may need the most memory.
std::set<int> candidates(const JobPlan& plan, CountedTransforms& counted, EvaluatedRanks wanted) {
  std::set<int> ranks;
  if (plan.ranks <= (wanted == EvaluatedRanks::kAll ? kAllRanks : kSampledRanks)) {
    for (int rank = 0; rank < plan.ranks; ++rank) ranks.insert(rank);
    return ranks;
  }
  for (int i = 0; i <= kSampledRanks; ++i)
    ranks.insert(static_cast<int>(static_cast<Index>(plan.ranks - 1) * i / kSampledRanks));
  const auto add_largest = [&](const auto& size_of) {
    int best = 0;
    Index most = -1;
    for (int rank = 0; rank < plan.ranks; ++rank)
      if (const Index size = size_of(rank); size > most) {
        most = size;
        best = rank;
      }
    ranks.insert(best);
  };
  std::set<const void*> seen;
  for (const ValueInfo& value : plan.values) {
    const void* of = value.sort == ValueSort::kMap   ? static_cast<const void*>(value.pixels.get())
                     : value.sort == ValueSort::kAlm ? static_cast<const void*>(value.alm.get())
                                                     : nullptr;
    if (of == nullptr || !seen.insert(of).second) continue;
    add_largest([&](int rank) { return field_bytes(plan, value, 1, rank); });
  }
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto& spec = plan.steps[i].transform;
    if (!spec) continue;
    const dist::ExchangeVolume& volume = counted.of(*spec, bytes_of_number(plan))->volume();
    add_largest([&](int rank) { return volume.send[core::at(rank)] + volume.receive[core::at(rank)]; });
  }
  return ranks;
}

bool is_of_files(const cost::Item& item) { return cost::is_of_files(item.kernel); }

bool is_of_files(const JobWork::Part& part) {
  return !part.work.items.empty() &&
         std::ranges::all_of(part.work.items, [](const cost::Item& item) { return is_of_files(item); });
}

/// Predicts the work of one group of ranks, while all groups work. Groups share the file system and the network.
class GroupTimes {
 public:
  GroupTimes(const RunForecast& forecast, const cost::Rates& rates)
      : own_(forecast.occupancy), of_group_(own_), rates_(rates) {
    if (forecast.groups <= 1) return;
    const int ranks = std::max(own_.ranks / forecast.groups, 1);
    of_group_ = {ranks, std::min(own_.ranks_per_node, ranks), own_.threads};
    share_ = {static_cast<double>(ranks) / own_.ranks_per_node, forecast.groups};
  }

  cost::Prediction compute(const cost::Work& work) const { return cost::predict(work, own_, rates_); }
  cost::Prediction files(const cost::Work& work) const { return cost::predict(work, of_group_, rates_, share_); }
  cost::Prediction part(const JobWork::Part& part) const {
    return is_of_files(part) ? files(part.work) : compute(part.work);
  }

  /// Part of the time of files during which a core of each rank is busy. It is idle while the network or the file
  /// system is slower than the process.
  double core_seconds(const cost::Work& files) const {
    double seconds = 0;
    for (const cost::Item& item : files.items)
      seconds += item.load.total / rates_.use(item.kernel, item.size, item.maps, of_group_, share_).of_cores;
    return seconds;
  }

  /// The rates of all parts of a run.
  std::vector<cost::RateUse> rates(const JobWork& run) const {
    cost::Work work, of_files;
    for (const auto* parts : {&run.once, &run.batch})
      for (const JobWork::Part& part : *parts) (is_of_files(part) ? of_files : work).add(part.work);
    std::vector<cost::RateUse> used = cost::rates_used(work, own_, rates_);
    const std::vector<cost::RateUse> more = cost::rates_used(of_files, of_group_, rates_, share_);
    used.insert(used.end(), more.begin(), more.end());
    return used;
  }

 private:
  cost::Occupancy own_, of_group_;
  cost::FileShare share_;
  const cost::Rates& rates_;
};

/// A thread reads and writes batches concurrently with the computation. It runs on a separate core if ranks leave one
/// free.
void add_batches(RunForecast& forecast, const RunMachine& machine, const GroupTimes& times) {
  const cost::Occupancy& own = forecast.occupancy;
  BatchTime& batch = forecast.batch;
  cost::Prediction compute;
  cost::Work created, bytes;
  for (const JobWork::Part& part : forecast.work.batch) {
    if (!is_of_files(part)) {
      compute.add(times.compute(part.work));
      continue;
    }
    for (const cost::Item& item : part.work.items) (item.kernel == cost::Kernel::kFiles ? created : bytes).add(item);
  }
  const cost::Prediction time = times.files(bytes);
  batch.work = compute.total();
  batch.read = time.of("read");
  batch.write = time.of("write");
  batch.create = times.files(created).total();
  const double spare = machine.cores().number - static_cast<double>(own.threads) * own.ranks_per_node;
  batch.core = (1 - std::clamp(spare / own.ranks_per_node, 0.0, 1.0)) * times.core_seconds(bytes);
  forecast.time.add(compute, forecast.batches);
  // The first batch is read before, and the last one written after, all computation.
  forecast.time.add("read", batch.read);
  forecast.time.add("write", batch.write + batch.create);
  forecast.time.add("wait for files", std::max(forecast.batches - 1, 0.0) * batch.wait());
}

/// Bytes that the ranks of one group exchange once, and for each batch.
struct GroupExchange {
  double once[2] = {0, 0}, batch[2] = {0, 0};  // [kind]

  explicit GroupExchange(const JobWork& work) {
    for (const cost::ExchangeKind kind : {cost::ExchangeKind::kDelta, cost::ExchangeKind::kEstimated}) {
      const auto k = static_cast<std::size_t>(kind);
      for (const JobWork::Part& part : work.once) once[k] += part.work.exchanged_bytes(kind);
      for (const JobWork::Part& part : work.batch) batch[k] += part.work.exchanged_bytes(kind);
    }
  }
};

/// Group sizes may differ by one rank. Batches are assigned round-robin, so the number per group may differ by one.
void add_exchanges(const JobPlan& plan, RunForecast& forecast, CountedTransforms& counted) {
  for (const auto* parts : {&forecast.work.once, &forecast.work.batch})
    for (const JobWork::Part& part : *parts)
      for (const cost::Exchange& exchange : part.work.exchanges) {
        forecast.pair_bytes = std::max(forecast.pair_bytes, exchange.largest_pair_bytes);
        forecast.largest_buffer = std::max(forecast.largest_buffer, exchange.largest_buffer);
      }
  const MapGroups groups{forecast.occupancy.ranks, forecast.groups};
  const Index batches = plan.campaign ? plan.campaign->batches() : 0;
  std::map<int, GroupExchange> of_size;
  of_size.emplace(plan.ranks, GroupExchange(forecast.work));
  for (int group = 0; group < groups.groups; ++group) {
    const int size = groups.first_rank(group + 1) - groups.first_rank(group);
    if (!of_size.contains(size)) {
      JobPlan other = plan_for(plan, size);
      other.campaign->groups = groups.groups;
      set_batch(other, plan.campaign->batch);
      of_size.emplace(size, GroupExchange(job_work(other, counted)));
    }
    const GroupExchange& own = of_size.at(size);
    const auto taken = static_cast<double>((batches - group + groups.groups - 1) / groups.groups);
    forecast.delta_bytes += own.once[0] + taken * own.batch[0];
    forecast.other_bytes += own.once[1] + taken * own.batch[1];
  }
}

/// Warns of ranks that own no ring or no m of some transform.
void warn_of_surplus(const JobPlan& plan, RunForecast& forecast) {
  Index most = std::numeric_limits<Index>::max();
  for (const PlannedStep& step : plan.steps) {
    if (!step.transform) continue;
    most = std::min({most, step.transform->grid_pairs(), step.transform->alm->layout().mmax() / 2 + 1});
  }
  if (plan.ranks > most)
    forecast.warnings.push_back(
        fmt::format("some of the {} ranks that share a map are idle: a transform of the job has work for only {}",
                    plan.ranks, most));
}

/// Warns of more threads on a node than it has cores.
void warn_of_cores(const RunMachine& machine, RunForecast& forecast) {
  const cost::Occupancy& own = forecast.occupancy;
  if (machine.fits_cores()) return;
  const NodeCores cores = machine.cores();
  const int on_node = std::min(own.ranks, own.ranks_per_node);
  forecast.warnings.push_back(
      fmt::format("{} rank{} of {} thread{} on one node need{} {} cores, but a node has {} ({}): set --ranks-per-node "
                  "to the number of ranks that run on each node{}",
                  on_node, on_node == 1 ? "" : "s", own.threads, own.threads == 1 ? "" : "s", on_node == 1 ? "s" : "",
                  machine.threads_of_node(), cores.number, cores.source,
                  cores.is_given ? "" : ", or --cores-per-node to its number of cores"));
}

}  // namespace

Index RunMachine::threads_of_node() const {
  return static_cast<Index>(occupancy.threads) * std::min(occupancy.ranks, occupancy.ranks_per_node);
}

NodeCores RunMachine::cores() const {
  if (cores_per_node) return {*cores_per_node, "given", true};
  const int known = rates.cores(occupancy);
  if (has_ranks_per_node && (!rates.calibrated() || threads_of_node() > known))
    return {static_cast<int>(threads_of_node()), "as many as its ranks have threads", false};
  return {known, rates.calibrated() ? "measured" : "assumed", false};
}

double BatchTime::wait() const { return std::max(core, read + write + create - work); }

double BatchTime::seconds(double batches, double scale) const {
  return scale * (batches * work + read + write + create + std::max(batches - 1, 0.0) * wait());
}

double RunForecast::file_share() const {
  return seconds() > 0 ? (time.of("read") + time.of("write") + time.of("wait for files")) / seconds() : 0;
}

MemoryForecast largest_memory(const JobPlan& plan, Index process_bytes, CountedTransforms& counted,
                              EvaluatedRanks ranks) {
  MemoryForecast largest;
  for (const int rank : candidates(plan, counted, ranks)) {
    MemoryForecast one = forecast_memory(plan, rank, process_bytes);
    if (largest.actions.empty() && largest.baseline == 0) {
      largest = std::move(one);
      continue;
    }
    for (std::size_t i = 0; i < one.actions.size(); ++i)
      largest.actions[i] = std::max(largest.actions[i], one.actions[i]);
    for (std::size_t i = 0; i < one.device.size(); ++i)
      if (one.device[i].total() > largest.device[i].total()) largest.device[i] = one.device[i];
  }
  return largest;
}

RunForecast forecast_time(const JobPlan& plan, const RunMachine& machine, CountedTransforms& counted) {
  RunForecast forecast;
  forecast.occupancy = machine.occupancy;
  forecast.groups = plan.campaign ? plan.campaign->groups : 1;
  forecast.work = job_work(plan, counted);
  const GroupTimes times(forecast, machine.rates);
  forecast.rates = times.rates(forecast.work);
  forecast.time.add("start", kStartSeconds);
  for (const JobWork::Part& part : forecast.work.once) forecast.time.add(times.part(part));
  if (plan.campaign) {
    // All batches have the full size: entries after the last map hold a copy of another map.
    forecast.batches =
        static_cast<double>((plan.campaign->batches() + forecast.groups - 1) / std::max(forecast.groups, 1));
    forecast.full_batches = static_cast<double>(plan.campaign->taken()) / static_cast<double>(plan.campaign->batch);
    add_batches(forecast, machine, times);
  }
  add_exchanges(plan, forecast, counted);
  return forecast;
}

RunForecast forecast_run(const JobPlan& plan, const RunMachine& machine, CountedTransforms& counted) {
  RunForecast forecast = forecast_time(plan, machine, counted);
  forecast.memory = largest_memory(plan, machine.process_bytes, counted);
  const int on_node = std::min(machine.occupancy.ranks, machine.occupancy.ranks_per_node);
  forecast.node_bytes = core::saturating_product(on_node, forecast.memory.peak());
  if (machine.node_memory && forecast.node_bytes > *machine.node_memory)
    forecast.warnings.push_back(
        fmt::format("the job does not fit: a node needs {} for {} rank{}, but has {}: use more nodes",
                    core::readable_bytes(forecast.node_bytes), on_node, on_node == 1 ? "" : "s",
                    core::readable_bytes(*machine.node_memory)));
  if (forecast.largest_buffer > std::numeric_limits<int>::max())
    forecast.warnings.push_back(
        fmt::format("buffers of {} complex numbers exceed the MPI limit of 2^31 and are exchanged in blocks, one rank "
                    "at a time, which is slower: use more ranks",
                    forecast.largest_buffer));
  if (!machine.rates.calibrated())
    forecast.warnings.push_back(
        "predicted times are not calibrated: run armilla bench --calibrate on the target machine");
  if (const std::string far = machine.rates.extrapolation(machine.occupancy); !far.empty())
    forecast.warnings.push_back(far);
  if (plan.spec.execution.backend != backend::Kind::kCpu)
    forecast.warnings.push_back("predicted times are for CPUs, because there are no rates for GPUs");
  warn_of_surplus(plan, forecast);
  warn_of_cores(machine, forecast);
  return forecast;
}

}  // namespace armilla::job
