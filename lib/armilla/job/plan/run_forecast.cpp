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
std::set<int> candidates(const JobPlan& plan) {
  std::set<int> ranks;
  if (plan.ranks <= kAllRanks) {
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
    std::vector<dist::ExchangedDelta> deltas;
    for (const transform::SpinField& field : spec->kind.spin_fields())
      deltas.push_back({field.spin, field.components * spec->maps});
    const dist::ExchangeVolume volume(*spec->alm, *spec->pixels, deltas);
    add_largest([&](int rank) { return volume.send[core::at(rank)] + volume.receive[core::at(rank)]; });
  }
  return ranks;
}

bool is_of_file(const cost::Item& item) { return cost::is_of_files(item.kernel); }

/// Seconds for reading and writing a batch, and for its other work.
struct BatchSeconds {
  cost::Prediction compute;
  double read = 0;
  double write = 0;
  double create = 0;  ///< file creation, independent of size
};

/// `of_group`: the ranks of a single group, which write its files.
BatchSeconds batch_seconds(const JobWork& work, const cost::Occupancy& occupancy, const cost::Occupancy& of_group,
                           const cost::Rates& rates) {
  BatchSeconds seconds;
  for (const JobWork::Part& part : work.batch) {
    if (part.work.items.empty() || !std::ranges::all_of(part.work.items, is_of_file)) {
      seconds.compute.add(cost::predict(part.work, occupancy, rates));
      continue;
    }
    cost::Work files, bytes;
    for (const cost::Item& item : part.work.items) (item.kernel == cost::Kernel::kFiles ? files : bytes).add(item);
    const cost::Prediction time = cost::predict(bytes, of_group, rates);
    seconds.create += cost::predict(files, of_group, rates).total();
    seconds.read += time.of("read");
    seconds.write += time.of("write");
  }
  return seconds;
}

/// A thread reads and writes batches concurrently with the computation. It runs on a separate core if ranks leave one
/// free.
void add_batches(RunForecast& forecast, const cost::Rates& rates) {
  const cost::Occupancy& own = forecast.occupancy;
  const int group_ranks = std::max(own.ranks / std::max(forecast.groups, 1), 1);
  const cost::Occupancy of_group{group_ranks, std::min(own.ranks_per_node, group_ranks), own.threads};
  const BatchSeconds one = batch_seconds(forecast.work, own, of_group, rates);
  // Groups share the bandwidth of the file system, but create their files concurrently.
  const double read = forecast.groups * one.read, write = forecast.groups * one.write + one.create;
  const int spare = rates.cores(own) - own.threads * own.ranks_per_node;
  const double free_share = std::clamp(static_cast<double>(spare) / own.ranks_per_node, 0.0, 1.0);
  // Creating files uses no CPU time.
  const double busy = (1 - free_share) * (read + forecast.groups * one.write);
  const double waits = std::max(busy, read + write - one.compute.total());
  forecast.time.add(one.compute, forecast.batches);
  // The first batch is read before, and the last one written after, all computation.
  forecast.time.add("read", read);
  forecast.time.add("write", write);
  forecast.time.add("wait for files", std::max(forecast.batches - 1, 0.0) * waits);
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
void add_exchanges(const JobPlan& plan, RunForecast& forecast) {
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
      JobPlan other = plan_for(plan.spec, size);
      other.campaign->groups = groups.groups;
      set_batch(other, plan.campaign->batch);
      of_size.emplace(size, GroupExchange(job_work(other)));
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

}  // namespace

MemoryForecast largest_memory(const JobPlan& plan, Index process_bytes) {
  MemoryForecast largest;
  for (const int rank : candidates(plan)) {
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

RunForecast forecast_run(const JobPlan& plan, const RunMachine& machine) {
  RunForecast forecast;
  forecast.occupancy = machine.occupancy;
  forecast.groups = plan.campaign ? plan.campaign->groups : 1;
  forecast.memory = largest_memory(plan, machine.process_bytes);
  const int on_node = std::min(machine.occupancy.ranks, machine.occupancy.ranks_per_node);
  forecast.node_bytes = core::saturating_product(on_node, forecast.memory.peak());
  forecast.work = job_work(plan);
  forecast.time.add("start", kStartSeconds);
  for (const JobWork::Part& part : forecast.work.once)
    forecast.time.add(cost::predict(part.work, forecast.occupancy, machine.rates));
  if (plan.campaign) {
    // All batches have the full size: entries after the last map hold a copy of another map.
    forecast.batches =
        static_cast<double>((plan.campaign->batches() + forecast.groups - 1) / std::max(forecast.groups, 1));
    add_batches(forecast, machine.rates);
  }
  add_exchanges(plan, forecast);
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
  if (plan.spec.execution.backend != backend::Kind::kCpu)
    forecast.warnings.push_back("predicted times are for CPUs, because there are no rates for GPUs");
  warn_of_surplus(plan, forecast);
  return forecast;
}

}  // namespace armilla::job
